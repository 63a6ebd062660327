"""The settings file, the environment, and what they make together."""

from __future__ import annotations

from pathlib import Path

import pytest

from agenthost.settings import Settings, parse_value, write_setting
from agenthost_sdk.errors import SettingsError

WHOLE = """
model = "openai:gpt-6-luna"
dialect = "native"

[tools]
disabled = ["Units"]
[tools.Inventory]
warehouse = "north"

[plugins]
disabled = ["noisy"]

[permissions]
allow = ["Files_read*"]
deny = ["*_delete"]

[limits]
max_subtasks = 7

[catalog]
timeout = 30
plugin_timeout = 2.5

[drivers.openai]
temperature = 0
"""


def written(home: Path, text: str) -> Path:
    path = home / "agenthost.toml"
    path.write_text(text)
    return path


def test_a_table_that_names_a_driver_is_a_server_of_that_name(tmp_path: Path) -> None:
    mine = '[drivers.mine]\ndriver = "openai"\nbase_url = "x"\n[drivers.odd]\ndriver = 3\n'
    written(tmp_path, WHOLE + mine)

    settings = Settings.load(tmp_path, {})

    assert settings.servers == {"mine": "openai"}
    assert settings.driver_options["mine"] == {"driver": "openai", "base_url": "x"}


def test_without_a_file_every_setting_has_a_default(tmp_path: Path) -> None:
    settings = Settings.load(tmp_path, {})

    assert settings.model is None
    assert settings.only_plugins is None
    assert settings.catalog_timeout == 60


def test_the_file_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, WHOLE)

    settings = Settings.load(tmp_path, {})

    assert settings.model == "openai:gpt-6-luna"
    assert settings.disabled_tools == ("Units",)
    assert settings.tool_options == {"Inventory": {"warehouse": "north"}}
    assert settings.allow == ("Files_read*",)
    assert settings.limits == {"max_subtasks": 7}
    assert settings.plugin_timeout == 2.5
    assert settings.driver_options == {"openai": {"temperature": 0}}
    assert settings.sources["model"] == str(path)


def test_the_environment_goes_before_the_file(tmp_path: Path) -> None:
    written(tmp_path, WHOLE)

    settings = Settings.load(
        tmp_path,
        {
            "AGENTHOST_MODEL": "local",
            "AGENTHOST_ALLOW": "A_*, B_*",
            "AGENTHOST_MAX_SUBTASKS": "3",
            "AGENTHOST_CATALOG_TIMEOUT": "1.5",
        },
    )

    assert settings.model == "local"
    assert settings.allow == ("A_*", "B_*")
    assert settings.limits == {"max_subtasks": 3}
    assert settings.catalog_timeout == 1.5
    assert settings.sources["model"] == "AGENTHOST_MODEL"


def test_an_empty_list_of_plugins_means_none_and_an_empty_text_is_not_set(tmp_path: Path) -> None:
    settings = Settings.load(tmp_path, {"AGENTHOST_PLUGINS": "", "AGENTHOST_MODEL": ""})

    assert settings.only_plugins == ()
    assert settings.model is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('modle = "x"', "'modle' is no setting. Did you mean 'model'?"),
        ("[limit]\nmax_subtasks = 3", "Did you mean 'limits'?"),
        ("[limits]\nmax_subtask = 3", "Did you mean 'limits.max_subtasks'?"),
        ("[limits]\nmax_subtasks = 0", "max_subtasks is 0; it must be a whole number"),
        ("[limits]\nmax_subtasks = true", "max_subtasks is True; it must be"),
        ("model = 3", "model is 3; it must be a text"),
        ("tools = 3", "[tools] must be a table"),
        ("[tools]\nInventory = 3", "[tools.NAME]"),
        ("[tools]\ndisabled = [1]", "must be a list of texts"),
        ('[drivers.""]\ndriver = "openai"', "[drivers.''] has a name that `-m NAME:MODEL`"),
        ('[drivers."a:b"]\ndriver = "openai"', "it must not be empty"),
        ("[catalog]\ntimeout = 0", "must be a number of seconds above 0"),
        ("model =\n", "line 1, column 8"),
        ("model =", "Mend it in an editor."),
    ],
)
def test_what_is_wrong_in_the_file_is_said_with_its_path(
    tmp_path: Path, text: str, words: str
) -> None:
    path = written(tmp_path, text)

    with pytest.raises(SettingsError) as caught:
        Settings.load(tmp_path, {})

    assert words in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_wrong_variable_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="AGENTHOST_MAX_SUBTASKS='many' cannot be"):
        Settings.load(tmp_path, {"AGENTHOST_MAX_SUBTASKS": "many"})


def test_a_settings_file_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "agenthost.toml").mkdir()

    with pytest.raises(SettingsError, match="cannot be read"):
        Settings.load(tmp_path, {})


def test_setting_a_key_keeps_comments_and_order(tmp_path: Path) -> None:
    path = written(
        tmp_path, '# mine\n[tools]  # all of them\ndisabled = ["A"] # for now\n\n[limits]\n'
    )

    write_setting(str(path), "limits.max_subtasks", 3)
    write_setting(str(path), "tools.Inventory.warehouse", "north")
    write_setting(str(path), "model", "local")

    text = path.read_text()
    assert "# mine" in text
    assert "[tools]  # all of them" in text
    assert 'disabled = ["A"] # for now' in text
    settings = Settings.load(tmp_path, {})
    assert settings.limits == {"max_subtasks": 3}
    assert settings.tool_options == {"Inventory": {"warehouse": "north"}}
    assert settings.model == "local"


def test_a_key_is_set_where_there_is_no_file_yet(tmp_path: Path) -> None:
    home = tmp_path / "new"

    write_setting(str(home / "agenthost.toml"), "tools.Inventory.warehouse", "north")

    assert (home / "agenthost.toml").read_text() == '[tools.Inventory]\nwarehouse = "north"\n'


def test_unsetting_a_key_brings_its_default_back(tmp_path: Path) -> None:
    path = written(tmp_path, WHOLE)

    write_setting(str(path), "model", None)

    assert Settings.load(tmp_path, {}).model is None


def test_unsetting_the_last_key_of_a_table_takes_the_table_out(tmp_path: Path) -> None:
    path = written(tmp_path, 'model = "x"\n\n[tools.Inventory]\nwarehouse = "north"\n')

    write_setting(str(path), "tools.Inventory.warehouse", None)

    assert path.read_text().strip() == 'model = "x"'


def test_unsetting_keeps_a_table_with_other_keys_or_comments(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        '[tools]\ndisabled = ["A"]\n[tools.Inventory]\n# mine\nwarehouse = "north"\n',
    )

    write_setting(str(path), "tools.Inventory.warehouse", None)

    assert path.read_text() == '[tools]\ndisabled = ["A"]\n[tools.Inventory]\n# mine\n'


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('modle = "x"\nmodel = "y"\n', "modle"),
        ('model = "y"\n[limit]\nmax_subtasks = 3\n', "limit"),
        ('model = "y"\n[limits]\nmax_subtask = 3\n', "limits.max_subtask"),
        ('model = "y"\n[limits]\nmax_subtasks = 0\n', "limits.max_subtasks"),
        ('model = "y"\ntools = 3\n', "tools"),
        ('model = "y"\n[tools]\nInventory = 3\n', "tools.Inventory"),
    ],
)
def test_what_is_wrong_in_the_file_is_mended_by_the_command_that_the_error_names(
    tmp_path: Path, text: str, key: str
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(SettingsError) as caught:
        Settings.load(tmp_path, {})

    write_setting(str(path), key, None)

    assert f"`agenthost config set {key} --unset`" in str(caught.value)
    assert Settings.load(tmp_path, {}).model == "y"


def test_unsetting_what_is_no_setting_and_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="Did you mean 'model'"):
        write_setting(str(tmp_path / "agenthost.toml"), "modle", None)


@pytest.mark.parametrize(
    ("key", "value"), [("model", 3), ("modle", "x"), ("model.name", "x"), ("tools.x", 1)]
)
def test_a_value_that_does_not_fit_changes_nothing(
    tmp_path: Path, key: str, value: object
) -> None:
    path = written(tmp_path, WHOLE)

    with pytest.raises(SettingsError):
        write_setting(str(path), key, value)

    assert path.read_text() == WHOLE


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("plugins.disabled", "a, b", ["a", "b"]),
        ("plugins.disabled", '["a"]', ["a"]),
        ("catalog.timeout", "3", 3),
        ("model", "openai:x", "openai:x"),
        ("tools.Inventory.warehouse", "north", "north"),
        ("tools.Inventory.shelves", "[1, 2]", [1, 2]),
        ("drivers.openai.temperature", "0.5", 0.5),
    ],
)
def test_what_a_person_types_becomes_the_value_of_its_kind(
    key: str, text: str, value: object
) -> None:
    assert parse_value(key, text) == value


@pytest.mark.parametrize(
    ("key", "text"),
    [("limits.max_subtasks", "many"), ("limits.max_subtask", "1"), ("tools.X", "1")],
)
def test_what_no_setting_takes_is_refused(key: str, text: str) -> None:
    with pytest.raises(SettingsError):
        parse_value(key, text)
