"""`agenthost drivers` says what there is, without importing it, and what a driver takes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.sites import CommandLine, Site

CODE = """
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from the_provider_of_acme import Client

from agenthost_sdk import (
    BaseEmbeddingDriver, BasePromptDriver, DeltaMessage, Message, PromptStack, hookimpl,
)

@dataclass(kw_only=True, eq=False)
class AcmePromptDriver(BasePromptDriver):
    '''Ask Acme.

    At length.

    Args:
        region: Where its servers are.
    '''

    provider = "acme"
    key_env = "ACME_API_KEY"
    profiles = {"groq": 1, "deepseek": 2}

    model: str = "acme-1"
    effort: Literal["low", "high"] = "low"
    #: How long it thinks at most;
    #: by default as long as it takes.
    budget: Literal["small", "large"] | Callable[[int], str] | None = None
    region: str
    api_key: str | None = field(default=None, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict)
    '''Sent with each request.'''
    client: "Client | None" = None
    _cache: dict[str, str] = field(default_factory=dict, init=False)

    def try_run(self, stack: PromptStack) -> Message:
        import the_provider_of_acme

    def try_stream(self, stack: PromptStack) -> Iterator[DeltaMessage]:
        import the_provider_of_acme

@dataclass(kw_only=True, eq=False)
class AcmeEmbeddingDriver(BaseEmbeddingDriver):
    '''Embed at Acme.'''

    provider = "acme"
    key_env = "ACME_EMBED_KEY"
    model: str = "acme-e"

    def try_embed(self, texts):
        return []

class FreePromptDriver(AcmePromptDriver):
    '''Ask nobody.'''

    key_env = None

@hookimpl
def agenthost_prompt_drivers():
    return {"acme": AcmePromptDriver, "free": FreePromptDriver}

@hookimpl
def agenthost_embedding_drivers():
    return {"acme": AcmeEmbeddingDriver}
"""

SERVERS = """
[drivers.acme]
region = "north"
headers = { X-Api-Key = "a-key-in-a-header" }

[drivers.mine]
driver = "acme"
model = "acme-2"
key_env = "MY_KEY"
max_attempts = 5
api_key = ""

[drivers.keyed]
driver = "acme"
api_key = "a-key-in-the-settings"

[drivers.lost]
driver = "acne"
"""

PLUGINS = {"AGENTHOST_PLUGINS": "acme"}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """Return a command line whose plugin was asked already what it contributes."""
    place = tmp_path_factory.mktemp("acme")
    line = CommandLine(place / "home", Site(place / "site"), PLUGINS)
    line.home.mkdir()
    line.site.install("acme", CODE)
    line("tools", "list")
    return line


@pytest.fixture
def line(shared: CommandLine) -> Iterator[CommandLine]:
    yield shared
    for file in ("keys.json", "agenthost.toml"):
        (shared.home / file).unlink(missing_ok=True)


@pytest.fixture
def servers(line: CommandLine) -> CommandLine:
    (line.home / "agenthost.toml").write_text(SERVERS)
    return line


def rows(line: CommandLine, *command: str, **environment: str) -> dict[tuple[str, str], Any]:
    """Return the rows of a command by kind and name."""
    listed = line("drivers", *command, "--json", **environment).json["data"]
    return {(row["kind"], row["name"]): row for row in listed}


def test_each_driver_is_listed_with_all_that_choosing_one_takes(line: CommandLine) -> None:
    listed = rows(line, "list")

    assert list(listed) == [("prompt", "acme"), ("prompt", "free"), ("embedding", "acme")]
    assert listed["prompt", "acme"] == {
        "name": "acme",
        "kind": "prompt",
        "driver": "acme",
        "description": "Ask Acme.",
        "model": "acme-1",
        "key_env": "ACME_API_KEY",
        "key_set": False,
        "key_source": None,
        "rank": 100,
        "plugin": "acme",
        "distribution": "agenthost-plugin-acme",
        "version": "1.0",
        "problem": "",
    }
    assert listed["embedding", "acme"]["model"] == "acme-e"


def test_a_person_reads_the_same_in_one_line_each(line: CommandLine) -> None:
    lines = [" ".join(row.split()) for row in line("drivers").out.splitlines()]

    assert lines == [
        "acme answers acme-1 ACME_API_KEY is not set agenthost-plugin-acme 1.0 Ask Acme.",
        "free answers acme-1 no key needed agenthost-plugin-acme 1.0 Ask nobody.",
        "acme embeds acme-e ACME_EMBED_KEY is not set agenthost-plugin-acme 1.0 Embed at Acme.",
    ]


def test_the_listing_says_where_each_key_is_set(line: CommandLine) -> None:
    line("keys", "set", "ACME_API_KEY", "-", input="key-in-the-file")

    kept, both = rows(line, "list"), rows(line, "list", ACME_API_KEY="in-the-environment")

    assert kept["prompt", "acme"]["key_source"] == "file"
    assert kept["embedding", "acme"]["key_source"] is None
    assert both["prompt", "acme"]["key_source"] == "environment"
    assert "ACME_API_KEY is set, in the file of keys" in line("drivers").out


@pytest.mark.parametrize("value", ["", "  "], ids=["empty", "blank"])
def test_an_empty_variable_is_not_a_key(line: CommandLine, value: str) -> None:
    assert rows(line, "list", ACME_API_KEY=value)["prompt", "acme"]["key_set"] is False


def test_servers_of_the_settings_are_listed_by_the_names_they_got(servers: CommandLine) -> None:
    listed = rows(servers, "list", MY_KEY="key-of-mine")

    mine, keyed = listed["prompt", "mine"], listed["prompt", "keyed"]
    assert (mine["driver"], mine["model"], mine["key_env"]) == ("acme", "acme-2", "MY_KEY")
    assert mine["key_source"] == "environment"
    assert mine["distribution"] == "agenthost-plugin-acme"
    assert (keyed["key_set"], keyed["key_source"]) == (True, "settings")
    assert "its key is set in the settings" in servers("drivers").out


def test_a_server_whose_driver_is_not_there_is_listed_with_the_reason(
    servers: CommandLine,
) -> None:
    lost = rows(servers, "list")["prompt", "lost"]
    shown = servers("drivers", "show", "lost")

    assert "[drivers.lost]" in lost["problem"]
    assert "Did you mean 'acme'?" in lost["problem"]
    assert lost["problem"] in servers("drivers").out
    assert (shown.code, shown.err) == (2, f"Error: {lost['problem']}\n")


def fields(row: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the fields of a driver that is shown by their names."""
    return {field["name"]: field for field in row["fields"]}


def test_a_driver_is_shown_with_its_fields_their_types_and_defaults(line: CommandLine) -> None:
    shown = rows(line, "show", "acme")

    found = fields(shown["prompt", "acme"])
    assert found["region"] == {
        "name": "region",
        "group": "field",
        "type": "str",
        "required": True,
        "default": None,
        "set": False,
        "value": None,
        "meaning": "Where its servers are.",
    }
    assert found["effort"]["type"] == "'low' | 'high'"
    assert found["effort"]["default"] == "low"
    assert found["headers"]["type"] == "Mapping[str, str]"
    assert found["headers"]["default"] == {}
    assert found["client"]["type"] == "Client | None"
    assert found["structured_output_strategy"]["type"] == "'native' | 'tool' | 'rule'"
    assert "_cache" not in found
    assert fields(shown["embedding", "acme"])["batch_size"]["default"] == 64


def test_a_field_is_shown_with_what_its_author_wrote_of_it(line: CommandLine) -> None:
    found = fields(rows(line, "show", "acme")["prompt", "acme"])
    told = " ".join(line("drivers", "show", "acme").out.split())

    assert found["budget"]["meaning"] == (
        "How long it thinks at most; by default as long as it takes."
    )
    assert found["headers"]["meaning"] == "Sent with each request."
    assert found["max_attempts"]["meaning"] == "How often a prompt is tried in all."
    assert found["client"]["meaning"] == ""
    assert "region str must be given Where its servers are." in told


def test_a_type_is_written_as_in_code_and_without_modules(line: CommandLine) -> None:
    found = fields(rows(line, "show", "acme")["prompt", "acme"])

    assert found["budget"]["type"] == "'small' | 'large' | Callable[[int], str] | None"
    assert found["ignored_exception_types"]["type"] == "tuple[type[BaseException], ...]"
    assert found["extra_params"]["type"] == "dict[str, Any]"


def test_switches_and_what_governs_trying_again_stand_by_themselves(line: CommandLine) -> None:
    row = rows(line, "show", "acme")["prompt", "acme"]
    shown = line("drivers", "show", "acme").out

    by_group: dict[str, set[str]] = {}
    for field in row["fields"]:
        by_group.setdefault(field["group"], set()).add(field["name"])
    assert {"stream", "use_native_tools", "structured_output_strategy", "dialect"} == by_group[
        "switch"
    ]
    assert {"max_attempts", "min_retry_delay", "ignored_exception_types"} <= by_group["retry"]
    assert shown.index("Switches") < shown.index("Trying again") < shown.index("Fields")


def test_the_profiles_of_servers_that_a_driver_knows_are_named(line: CommandLine) -> None:
    assert rows(line, "show", "acme")["prompt", "acme"]["profiles"] == ["deepseek", "groq"]
    assert rows(line, "show", "acme")["embedding", "acme"]["profiles"] == []
    assert "Profiles of servers: deepseek, groq" in line("drivers", "show", "acme").out


def test_a_driver_is_shown_with_what_the_settings_give_it_and_no_secret(
    servers: CommandLine,
) -> None:
    acme = fields(rows(servers, "show", "acme")["prompt", "acme"])
    mine = fields(rows(servers, "show", "mine")["prompt", "mine"])
    keyed = servers("drivers", "show", "keyed").out

    assert (acme["region"]["set"], acme["region"]["value"]) == (True, "north")
    assert acme["headers"]["value"] == {"X-Api-Key": "***"}
    assert (mine["max_attempts"]["default"], mine["max_attempts"]["value"]) == (2, 5)
    assert mine["region"]["set"] is False
    assert "driver  acme, under this name in the settings" in keyed
    assert '"***" in the settings' in keyed
    assert "a-key" not in keyed


def test_the_name_of_no_driver_is_answered_with_its_nearest(servers: CommandLine) -> None:
    acne, mime = servers("drivers", "show", "acne"), servers("drivers", "show", "minne")

    assert (acne.code, acne.out) == (4, "")
    assert "No driver named 'acne'. Did you mean 'acme'?" in acne.err
    assert "Did you mean 'mine'?" in mime.err


REPORT = """
import json, sys
from agenthost.cli import main
code = main(sys.argv[1:])
print(json.dumps([code, sorted(sys.modules)]), file=sys.stderr)
"""


def imported(line: CommandLine, *arguments: str) -> set[str]:
    """Return the modules that a command had imported when it was done."""
    done = subprocess.run(
        [sys.executable, "-c", REPORT, *arguments],
        env=line.variables(),
        capture_output=True,
        text=True,
        check=True,
        cwd=line.home,
    )
    code, modules = json.loads(done.stderr.splitlines()[-1])
    assert code == 0
    return set(modules)


def test_a_listing_imports_no_plugin_also_where_keys_and_servers_are_set(
    servers: CommandLine,
) -> None:
    servers("keys", "set", "ACME_API_KEY", "-", input="key-in-the-file")

    modules = imported(servers, "drivers", "list")

    assert not [name for name in modules if name.startswith("plugin_")]
    assert not modules & {"pluggy", "pydantic", "tomlkit", "keyring", "dataclasses"}
    assert len(modules) < 150


def test_showing_a_driver_of_the_workspace_imports_no_providers_package(tmp_path: Path) -> None:
    line = CommandLine(tmp_path, Site(tmp_path / "site"))

    modules = imported(line, "drivers", "show", "openai")

    assert "agenthost_plugin_openai" in modules
    assert not modules & {"openai", "anthropic", "httpx", "httpx2", "tiktoken", "xllamacpp"}


def test_the_doctor_says_of_each_driver_whether_and_where_its_key_is_set(
    servers: CommandLine,
) -> None:
    servers("keys", "set", "MY_KEY", "-", input="key-in-the-file")

    said = servers("doctor", ACME_API_KEY="in-the-environment").out

    assert "driver       acme: ACME_API_KEY is set, in the environment" in said
    assert "driver       mine: MY_KEY is set, in the file of keys" in said
    assert "driver       free: no key needed" in said
    assert "embeddings   acme: ACME_EMBED_KEY is not set" in said
