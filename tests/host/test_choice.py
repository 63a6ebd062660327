"""Which driver runs, and with which fields: by name, by the settings, by the keys that are set."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agenthost import Host
from agenthost.folders import Folders
from agenthost.keys import KeyStore
from agenthost_sdk.errors import (
    NoDriverError,
    NotFoundError,
    OptionError,
    PluginError,
    SettingsError,
)
from support.sites import Site

#: Two providers with keys and one without; what is in the environment breaks one of them.
PROVIDERS = """
import os
from dataclasses import dataclass, field
from agenthost_sdk import BaseEmbeddingDriver, BasePromptDriver, hookimpl

@dataclass(kw_only=True, eq=False)
class Driver(BasePromptDriver):
    model: str = "small"
    api_key: str | None = field(default=None, repr=False)

    def __post_init__(self):
        if self.provider in os.environ.get("BROKEN", "").split("-"):
            raise RuntimeError("out of order")

    def try_run(self, stack): ...
    def try_stream(self, stack): ...

@dataclass(kw_only=True, eq=False)
class Alpha(Driver):
    provider = "alpha"
    key_env = "ALPHA_API_KEY"
    rank = 10
    base_url: str | None = None

@dataclass(kw_only=True, eq=False)
class Beta(Driver):
    provider = "beta"
    key_env = "BETA_API_KEY"
    rank = 20

@hookimpl
def agenthost_prompt_drivers():
    return {"alpha": Alpha, "beta": Beta}

@dataclass(kw_only=True, eq=False)
class Embedding(BaseEmbeddingDriver):
    model: str = "vectors"
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)

    def try_embed(self, texts):
        return [[1.0] for _ in texts]

class AlphaEmbedding(Embedding):
    provider = "alpha"
    key_env = "ALPHA_API_KEY"

class BetaEmbedding(Embedding):
    provider = "beta"
    key_env = "BETA_API_KEY"

@hookimpl
def agenthost_embedding_drivers():
    return {"alpha": AlphaEmbedding, "beta": BetaEmbedding}
"""

KEYLESS = """
import os
from dataclasses import dataclass
from agenthost_sdk import BaseEmbeddingDriver, BasePromptDriver, hookimpl

if os.environ.get("BROKEN", "") == "NAME-import":
    raise RuntimeError("out of order")

@dataclass(kw_only=True, eq=False)
class Free(BasePromptDriver):
    rank = RANK
    provider = "NAME"
    model: str = "tiny"

    def try_run(self, stack): ...
    def try_stream(self, stack): ...

class FreeEmbedding(BaseEmbeddingDriver):
    provider = "NAME"
    model: str = "words"

    def __init__(self):
        super().__init__(model="words")

    def try_embed(self, texts):
        return [[1.0] for _ in texts]

@hookimpl
def agenthost_prompt_drivers():
    return {"NAME": Free}

@hookimpl
def agenthost_embedding_drivers():
    return {"NAME": FreeEmbedding}
"""

Make = Callable[..., Host]


@pytest.fixture
def make(installed: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Return a function that makes a host on these plugins, in this person's home or another."""
    installed.install("providers", PROVIDERS)
    installed.install("first", KEYLESS.replace("NAME", "first").replace("RANK", "800"))
    installed.install("second", KEYLESS.replace("NAME", "second").replace("RANK", "900"))
    for variable in ("ALPHA_API_KEY", "BETA_API_KEY", "AGENTHOST_MODEL"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("AGENTHOST_HOME", str(tmp_path / "person"))

    def host(toml: str = "", home: Path | None = None, only: str = "") -> Host:
        plugins = only or '"providers", "first", "second"'
        folder = home or tmp_path / "person"
        folder.mkdir(exist_ok=True)
        (folder / "agenthost.toml").write_text(f"{toml}\n[plugins]\nonly = [{plugins}]\n")
        made = Host(folder)
        made.registry.catalog  # noqa: B018 - asked before anything is broken
        return made

    return host


@pytest.mark.parametrize(
    ("named", "model", "keys", "chosen", "reason"),
    [
        ("beta:large", "alpha", ("ALPHA", "BETA"), "beta:large", ""),
        (None, "beta:large", ("ALPHA", "BETA"), "beta:large", "set as model in FILE"),
        (None, None, ("ALPHA", "BETA"), "alpha:small", "ALPHA_API_KEY is set"),
        (None, None, ("BETA",), "beta:small", "BETA_API_KEY is set"),
        (None, None, (), "first:tiny", "no key is set"),
    ],
    ids=["named", "settings", "lowest rank", "only key", "no key"],
)
def test_the_driver_is_the_named_one_then_the_settings_then_one_with_a_key_then_one_without(
    make: Make,
    monkeypatch: pytest.MonkeyPatch,
    named: str | None,
    model: str | None,
    keys: tuple[str, ...],
    chosen: str,
    reason: str,
) -> None:
    for key in keys:
        monkeypatch.setenv(f"{key}_API_KEY", "k" * 20)
    host = make(f'model = "{model}"' if model else "")

    choice = host.choose_driver(named)

    file = host.settings.folders.settings_file
    assert f"{choice.name}:{choice.driver.model}" == chosen
    assert choice.driver.title == choice.name
    assert choice.reason == reason.replace("FILE", file)
    assert choice.passed_over == ()


def test_the_variable_of_the_model_is_named_as_the_reason(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENTHOST_MODEL", "beta")

    assert make('model = "alpha"').choose_driver().reason == "set as model in AGENTHOST_MODEL"


def test_a_key_of_blanks_is_none(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALPHA_API_KEY", "  ")

    assert make().choose_driver().name == "first"


def test_a_key_in_this_persons_store_counts_as_set(make: Make, tmp_path: Path) -> None:
    KeyStore(Folders.under(str(tmp_path / "person"))).set("BETA_API_KEY", "k" * 20)

    choice = make().choose_driver()

    assert (choice.name, choice.reason) == ("beta", "BETA_API_KEY is set")
    assert choice.driver.api_key is None  # type: ignore[attr-defined]


def test_a_host_with_a_home_of_its_own_uses_the_keys_of_that_home(
    make: Make, tmp_path: Path
) -> None:
    KeyStore(Folders.under(str(tmp_path / "own"))).set("BETA_API_KEY", "own-key-own-key")

    own, persons = make(home=tmp_path / "own"), make()

    assert own.choose_driver().name == "beta"
    assert own.prompt_driver("beta").api_key == "own-key-own-key"  # type: ignore[attr-defined]
    assert own.embedding_driver("beta").api_key == "own-key-own-key"  # type: ignore[attr-defined]
    assert persons.choose_driver().name == "first"
    assert persons.prompt_driver("beta").api_key is None  # type: ignore[attr-defined]


def test_the_key_of_a_provider_is_not_given_to_a_server_elsewhere(
    make: Make, tmp_path: Path
) -> None:
    store = KeyStore(Folders.under(str(tmp_path / "own")))
    store.set("ALPHA_API_KEY", "alphas-own-key")
    store.set("GROQ_API_KEY", "the-key-of-groq")
    elsewhere = GROQ.replace('key_env = "GROQ_API_KEY"\n', "")

    own = make(elsewhere, home=tmp_path / "own")
    with_key = make(GROQ, home=tmp_path / "own")

    url = "http://127.0.0.1:9/v1"
    assert own.prompt_driver("alpha").api_key == "alphas-own-key"  # type: ignore[attr-defined]
    assert own.prompt_driver("groq").api_key is None  # type: ignore[attr-defined]
    assert own.prompt_driver("alpha", base_url=url).api_key is None  # type: ignore[attr-defined]
    assert with_key.prompt_driver("groq").api_key == "the-key-of-groq"  # type: ignore[attr-defined]


def test_the_environment_goes_before_the_keys_of_a_home(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    KeyStore(Folders.under(str(tmp_path / "own"))).set("BETA_API_KEY", "own-key-own-key")
    monkeypatch.setenv("BETA_API_KEY", "key-of-the-environment")

    driver = make(home=tmp_path / "own").prompt_driver("beta")

    assert driver.api_key is None  # type: ignore[attr-defined]


def test_a_key_that_the_settings_hold_counts_as_set(make: Make) -> None:
    host = make('[drivers.beta]\napi_key = "key-of-the-settings"')

    assert host.choose_driver().name == "beta"
    assert host.prompt_driver().api_key == "key-of-the-settings"  # type: ignore[attr-defined]


def test_a_driver_can_have_its_key_under_another_variable(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "k" * 20)
    host = make('[drivers.beta]\nkey_env = "MY_KEY"')

    choice = host.choose_driver()

    assert (choice.name, choice.reason) == ("beta", "MY_KEY is set")
    assert choice.driver.key_name == "MY_KEY"


@pytest.mark.parametrize(
    ("broken", "passed", "fault", "chosen", "reason"),
    [
        (
            "alpha",
            "alpha",
            "Plugin providers (agenthost-plugin-providers 1.0): Alpha cannot be made:"
            " RuntimeError: out of order.",
            "beta",
            "BETA_API_KEY is set",
        ),
        (
            "alpha-and-beta",
            "alpha",
            "Alpha cannot be made: RuntimeError: out of order.",
            "first",
            "no other can be used",
        ),
    ],
    ids=["one", "two"],
)
def test_a_driver_that_cannot_be_made_is_passed_over_and_its_plugin_is_named(
    make: Make,
    monkeypatch: pytest.MonkeyPatch,
    broken: str,
    passed: str,
    fault: str,
    chosen: str,
    reason: str,
) -> None:
    host = make()
    monkeypatch.setenv("BROKEN", broken)
    for key in ("ALPHA_API_KEY", "BETA_API_KEY"):
        monkeypatch.setenv(key, "k" * 20)

    choice = host.choose_driver()

    assert choice.passed_over[0].startswith(f"The driver {passed!r} is passed over. Plugin ")
    assert fault in choice.passed_over[0]
    assert len(choice.passed_over) == len(broken.split("-and-"))
    assert (choice.name, choice.reason) == (chosen, reason)


def test_a_driver_whose_plugin_cannot_be_imported_any_more_is_passed_over(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = make()
    monkeypatch.setenv("BROKEN", "first-import")

    choice = host.choose_driver()

    assert (choice.name, choice.reason) == ("second", "no key is set")
    assert choice.passed_over == (
        "The driver 'first' is passed over. Plugin first (agenthost-plugin-first 1.0): it cannot"
        " be imported: RuntimeError: out of order. Mend it, or turn the plugin off: `agenthost"
        " plugins disable first`.",
    )


def test_an_application_finds_in_its_log_what_was_passed_over(
    make: Make, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    host = make()
    monkeypatch.setenv("BROKEN", "first-import")

    with caplog.at_level(logging.WARNING, "agenthost"):
        driver = host.prompt_driver()

    assert driver.title == "second"
    assert "The driver 'first' is passed over. Plugin first" in caplog.text


def test_where_every_driver_is_broken_each_is_named(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = make(only='"first"')
    monkeypatch.setenv("BROKEN", "first-import")

    with pytest.raises(PluginError, match=r"The driver 'first' is passed over\. Plugin first"):
        host.prompt_driver()


@pytest.mark.parametrize("by_settings", [False, True], ids=["named", "settings"])
def test_a_broken_driver_that_was_asked_for_is_not_passed_over(
    make: Make, monkeypatch: pytest.MonkeyPatch, by_settings: bool
) -> None:
    host = make('model = "first"' if by_settings else "")
    monkeypatch.setenv("BROKEN", "first-import")

    with pytest.raises(PluginError, match="Plugin first"):
        host.prompt_driver(None if by_settings else "first")


def test_a_wrong_setting_of_the_best_driver_is_told_and_not_passed_over(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALPHA_API_KEY", "k" * 20)

    with pytest.raises(SettingsError, match="base_ulr"):
        make('[drivers.alpha]\nbase_ulr = "x"').prompt_driver()


def test_without_any_driver_the_error_says_what_to_turn_on(tmp_path: Path) -> None:
    models = ("anthropic", "local", "openai")
    (tmp_path / "agenthost.toml").write_text(f"[plugins]\ndisabled = {list(models)}\n")

    with pytest.raises(NoDriverError, match="`agenthost plugins enable local`"):
        Host(tmp_path).prompt_driver()


def test_a_model_may_have_colons_in_its_name(make: Make) -> None:
    assert make().prompt_driver("alpha:some:model").model == "some:model"


def test_settings_give_a_driver_its_fields_and_the_caller_other_ones(make: Make) -> None:
    host = make('[drivers.alpha]\nbase_url = "http://127.0.0.1:1"\nmodel = "m"\ntemperature = 0.5')

    plain: Any = host.prompt_driver("alpha")
    other: Any = host.prompt_driver("alpha:n", base_url="http://127.0.0.1:2")

    assert (plain.base_url, plain.model, plain.temperature) == ("http://127.0.0.1:1", "m", 0.5)
    assert (other.base_url, other.model, other.temperature) == ("http://127.0.0.1:2", "n", 0.5)


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("base_ulr", "Did you mean 'base_url'? It takes driver, model, stream,"),
        ("name", "which the driver 'alpha' does not take."),
        ("kye_env", "Did you mean 'key_env'?"),
    ],
)
def test_a_field_that_a_driver_lacks_is_named_with_the_table_and_the_nearest(
    make: Make, field: str, words: str
) -> None:
    host = make(f'[drivers.alpha]\n{field} = "x"')

    with pytest.raises(SettingsError) as refused:
        host.prompt_driver("alpha")

    file = host.settings.folders.settings_file
    assert f"[drivers.alpha] in {file} has {field!r}" in str(refused.value)
    assert words in str(refused.value)


def test_a_field_that_the_caller_gives_and_the_driver_lacks_is_an_option_that_is_not_known(
    make: Make,
) -> None:
    with pytest.raises(OptionError, match="The driver 'beta' takes no 'base_url'") as refused:
        make().prompt_driver("beta", base_url="http://127.0.0.1:1")

    assert (refused.value.option, refused.value.is_known) == ("base_url", False)


@pytest.mark.parametrize(
    ("field", "words"),
    [
        (
            'max_attempts = "3"',
            'max_attempts does not fit. "3" is a string; an integer is needed.',
        ),
        ("model = 5", "model does not fit. 5 is an integer; a string is needed."),
        ('stream = "yes"', "stream does not fit."),
        ('structured_output_strategy = "x"', 'allowed: "native", "tool", "rule".'),
        ("extra_params = 3", "extra_params does not fit. 3 is an integer; an object is needed."),
        ("extra_params = {since = 1979-05-27}", "put it between quotes"),
        ('ignored_exception_types = ["OSError"]', "It can only be given in code."),
        ("api_key = 123456789012", "api_key does not fit. The value is of the wrong kind."),
    ],
    ids=lambda one: one.partition(" ")[0],
)
def test_a_value_that_does_not_fit_its_field_is_named_with_the_table_and_a_secret_is_not(
    make: Make, field: str, words: str
) -> None:
    host = make(f"[drivers.alpha]\n{field}")

    with pytest.raises(SettingsError) as refused:
        host.prompt_driver("alpha")

    file = host.settings.folders.settings_file
    assert f"[drivers.alpha] in {file}: " in str(refused.value)
    assert words in str(refused.value)
    assert "123456789012" not in str(refused.value)


def test_a_whole_number_is_taken_for_a_field_that_may_have_fractions(make: Make) -> None:
    driver = make("[drivers.alpha]\ntemperature = 1\nmin_retry_delay = 3").prompt_driver("alpha")

    assert (driver.temperature, driver.min_retry_delay) == (1.0, 3.0)


def test_blanks_round_a_driver_and_a_model_are_passed_over(make: Make) -> None:
    assert make().prompt_driver(" alpha : m\n").model == "m"


GROQ = """
[drivers.groq]
driver = "alpha"
base_url = "http://127.0.0.1:9/v1"
model = "llama"
key_env = "GROQ_API_KEY"
max_tokens = 7
"""


@pytest.mark.parametrize(("named", "model"), [("groq", "llama"), ("groq:other", "other")])
def test_a_server_of_the_settings_is_a_driver_with_a_name_of_its_own(
    make: Make, named: str, model: str
) -> None:
    driver: Any = make(GROQ).prompt_driver(named)

    assert type(driver).__name__ == "Alpha"
    assert (driver.title, driver.provider, driver.model) == ("groq", "alpha", model)
    assert (driver.base_url, driver.max_tokens) == ("http://127.0.0.1:9/v1", 7)
    assert driver.key_name == "GROQ_API_KEY"


def test_the_settings_model_may_name_a_server_of_the_settings(make: Make) -> None:
    choice = make(f'model = "groq:large"\n{GROQ}').choose_driver()

    assert (choice.name, choice.driver.title, choice.driver.model) == ("groq", "groq", "large")
    assert choice.reason.startswith("set as model in ")


def test_a_server_of_the_settings_is_never_chosen_unasked(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROQ_API_KEY", "k" * 20)

    assert make(GROQ).choose_driver().name == "first"


def test_the_name_of_a_server_is_suggested_where_one_is_like_it(make: Make) -> None:
    with pytest.raises(NotFoundError, match=r"No driver named 'grok'\. Did you mean 'groq'\?"):
        make(GROQ).prompt_driver("grok:llama")


def test_an_unknown_driver_of_a_server_is_answered_with_the_nearest_and_its_table(
    make: Make,
) -> None:
    host = make(GROQ.replace("alpha", "alhpa"))

    with pytest.raises(NotFoundError) as refused:
        host.prompt_driver("groq:llama")

    said = str(refused.value)
    assert "No driver named 'alhpa'. Did you mean 'alpha'?" in said
    assert f"[drivers.groq] in {host.settings.folders.settings_file} names it." in said


def test_a_server_whose_table_names_no_driver_is_told_to_name_one(make: Make) -> None:
    with pytest.raises(NotFoundError, match=r"\[drivers.groq\] in .* add driver = \"alpha\""):
        make(GROQ.replace('driver = "alpha"\n', "")).prompt_driver("groq:llama")


@pytest.mark.parametrize("field", ["driver", "key_env", "key_name"])
def test_a_table_whose_driver_or_key_is_no_text_is_refused(make: Make, field: str) -> None:
    with pytest.raises(SettingsError, match=rf"\[drivers.mine\] in .*: {field} is 3"):
        make(f"[drivers.mine]\n{field} = 3").prompt_driver("mine:x")


@pytest.mark.parametrize("named", ["anthropik:x", "mine:x"], ids=["named", "of a server"])
def test_an_unknown_driver_says_which_plugin_may_be_missing(tmp_path: Path, named: str) -> None:
    (tmp_path / "agenthost.toml").write_text('[drivers.mine]\ndriver = "anthropik"')

    with pytest.raises(
        NotFoundError, match=r"Is its plugin, agenthost-plugin-anthropik, installed\?"
    ):
        Host(tmp_path).prompt_driver(named)


@pytest.mark.parametrize(
    ("model", "keys", "provider"),
    [
        (None, ("ALPHA", "BETA"), "alpha"),
        (None, ("BETA",), "beta"),
        ("beta:large", ("ALPHA", "BETA"), "beta"),
        ("beta:large", ("ALPHA",), "alpha"),
        ("second", ("ALPHA",), "second"),
        (None, (), "first"),
    ],
)
def test_the_embedding_driver_is_the_models_then_one_with_a_key_then_one_without(
    make: Make,
    monkeypatch: pytest.MonkeyPatch,
    model: str | None,
    keys: tuple[str, ...],
    provider: str,
) -> None:
    for key in keys:
        monkeypatch.setenv(f"{key}_API_KEY", "k" * 20)
    host = make(f'model = "{model}"' if model else "")

    assert host.embedding_driver().provider == provider


def test_a_broken_embedding_driver_is_passed_over(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = make()
    monkeypatch.setenv("BROKEN", "first-import")

    assert host.embedding_driver().provider == "second"


def test_without_any_embedding_driver_the_error_says_what_to_install(make: Make) -> None:
    with pytest.raises(NoDriverError, match=r"no embedding driver to use.*plugin-local"):
        make(only='"providers"').embedding_driver()


def test_a_server_of_the_settings_embeds_with_the_fields_that_fit(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROQ_API_KEY", "key-of-the-server")

    driver: Any = make(GROQ).embedding_driver("groq:nomic")
    plain: Any = make(GROQ).embedding_driver("groq")

    assert (driver.provider, driver.model) == ("alpha", "nomic")
    assert driver.base_url == "http://127.0.0.1:9/v1"
    assert driver.key_name == "GROQ_API_KEY"
    assert plain.model == "vectors"


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ("gamma", "No embedding driver named 'gamma'."),
        ("lapha", r"Did you mean 'alpha'"),
        ("groq", r"No embedding driver named 'nothing'.*\[drivers.groq\] in .* names it"),
    ],
)
def test_an_unknown_embedding_driver_is_answered_as_a_prompt_driver_is(
    make: Make, named: str, words: str
) -> None:
    host = make(GROQ.replace("alpha", "nothing"), only='"providers"')

    with pytest.raises(NotFoundError, match=words):
        host.embedding_driver(named)


@pytest.mark.parametrize(
    ("keys", "chosen"),
    [
        (("OPENAI_API_KEY", "ANTHROPIC_API_KEY"), "openai"),
        (("ANTHROPIC_API_KEY",), "anthropic"),
        ((), "local"),
    ],
)
def test_of_the_drivers_that_ship_openai_goes_before_anthropic_and_both_before_the_local_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keys: tuple[str, ...], chosen: str
) -> None:
    monkeypatch.setenv("AGENTHOST_HOME", str(tmp_path))
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "AGENTHOST_MODEL"):
        monkeypatch.delenv(name, raising=False)
    for name in keys:
        monkeypatch.setenv(name, "k" * 20)

    assert Host().choose_driver().name == chosen


@pytest.mark.parametrize(
    ("named", "model"), [("local", "minilm"), ("local:other.gguf", "other.gguf")]
)
def test_an_embedding_driver_is_made_by_its_name(tmp_path: Path, named: str, model: str) -> None:
    driver = Host(tmp_path).embedding_driver(named)

    assert (driver.provider, driver.model) == ("local", model)
