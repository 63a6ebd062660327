"""The keys of the settings file: what each means, and what it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from agenthost_sdk.errors import SettingsError, nearest


class Setting(NamedTuple):
    """One key of the settings file, and the environment variable that goes before it."""

    key: str
    kind: str
    variable: str
    attribute: str
    meaning: str


def _limit(name: str, meaning: str, kind: str = "count") -> Setting:
    return Setting(f"limits.{name}", kind, f"AGENTHOST_{name.upper()}", "limits", meaning)


#: Every key that has a meaning of its own, in the order of `agenthost config show`.
SETTINGS = (
    Setting("model", "text", "AGENTHOST_MODEL", "model", "DRIVER or DRIVER:MODEL to run on"),
    Setting("dialect", "text", "AGENTHOST_DIALECT", "dialect", "the reply format"),
    Setting("executor", "text", "AGENTHOST_EXECUTOR", "executor", "where activities run"),
    Setting(
        "tools.disabled",
        "texts",
        "AGENTHOST_TOOLS_DISABLED",
        "disabled_tools",
        "tools that are not offered",
    ),
    Setting(
        "plugins.disabled",
        "texts",
        "AGENTHOST_PLUGINS_DISABLED",
        "disabled_plugins",
        "plugins that are never imported, by name or distribution",
    ),
    Setting(
        "plugins.only",
        "texts",
        "AGENTHOST_PLUGINS",
        "only_plugins",
        "the only plugins that are imported",
    ),
    Setting(
        "plugins.forced",
        "texts",
        "AGENTHOST_PLUGINS_FORCED",
        "forced_plugins",
        "plugins that are imported although they were made for another host",
    ),
    Setting(
        "permissions.allow",
        "texts",
        "AGENTHOST_ALLOW",
        "allow",
        "patterns of activities that run unasked",
    ),
    Setting(
        "permissions.deny",
        "texts",
        "AGENTHOST_DENY",
        "deny",
        "patterns of activities that never run",
    ),
    _limit("max_subtasks", "rounds of actions in a run"),
    _limit("max_reply_repairs", "unreadable replies that are handed back"),
    _limit("max_output_repairs", "refused answers that are handed back"),
    _limit("max_consecutive_errors", "rounds in a row in which every action failed"),
    _limit("max_repeats", "how often the same round may come to the same"),
    _limit("max_seconds", "seconds of a run in all", "seconds"),
    _limit("max_tokens", "tokens of a run in all"),
    _limit("max_output_chars", "characters of a result that the model is shown"),
    _limit("max_history_tokens", "tokens of a run's rounds before the oldest are folded"),
    Setting(
        "catalog.timeout",
        "seconds",
        "AGENTHOST_CATALOG_TIMEOUT",
        "catalog_timeout",
        "for asking all plugins what they contribute",
    ),
    Setting(
        "catalog.plugin_timeout",
        "seconds",
        "AGENTHOST_PLUGIN_TIMEOUT",
        "plugin_timeout",
        "for asking one plugin",
    ),
)

_BY_KEY = {setting.key: setting for setting in SETTINGS}

#: Tables below [tools] that are no tool's options: they map a tool's name to a text.
NAME_TABLES = ("tools.choose", "tools.alias")

#: The tables of the file; those that map names to options take any name.
_TABLES = ("tools", "plugins", "permissions", "limits", "catalog", "drivers")
_OPEN_TABLES = ("tools", "drivers")


def setting_of(key: str) -> Setting:
    """Return the setting that a known key names."""
    return _BY_KEY[key]


def parse_value(key: str, text: str) -> Any:
    """Return what a person typed for a key as the file is to hold it.

    Raises:
        SettingsError: There is no such setting, or the text does not fit it.
    """
    check_key(key)
    setting = _BY_KEY.get(key)
    return read_text(setting, text, f"{text!r} for {key}") if setting else _toml_value(text)


def check_key(key: str) -> None:
    """Refuse a key that is no setting.

    Raises:
        SettingsError: There is no such setting.
    """
    parts = key.split(".")
    is_option = len(parts) == 3 and parts[0] in _OPEN_TABLES and all(parts)
    if key not in _BY_KEY and not is_option:
        raise SettingsError(_unknown(key, _BY_KEY))


def checked(document: Mapping[str, Any], path: str) -> Iterator[tuple[str, Any]]:
    """Yield each key of the file with dots, and its value; refuse what is no setting."""
    for name, value in document.items():
        if name in _BY_KEY:
            yield name, _fitting(_BY_KEY[name], value, path)
        elif name not in _TABLES:
            words = _unknown(name, [*_BY_KEY, *_TABLES])
            raise SettingsError(f"{path}: {words} {_taking_out(name)}")
        elif not isinstance(value, dict):
            words = f"[{name}] must be a table; it is {value!r}."
            raise SettingsError(f"{path}: {words} {_taking_out(name)}")
        else:
            yield from _checked_table(name, value, path)


def read_text(setting: Setting, text: str, where: str) -> Any:
    """Return what a person or a variable gave for a setting, as the file would hold it."""
    text = text.strip()
    value: Any = text
    if setting.kind == "texts":
        value = _list_of(text)
    elif setting.kind != "text":
        value = _number(text)
    fits, wanted = _KINDS[setting.kind]
    if not fits(value):
        raise SettingsError(f"{where} cannot be: it must be {wanted}.")
    return value


def _checked_table(table: str, content: Mapping[str, Any], path: str) -> Iterator[tuple[str, Any]]:
    for name, value in content.items():
        key = f"{table}.{name}"
        if key in _BY_KEY:
            yield key, _fitting(_BY_KEY[key], value, path)
        elif table not in _OPEN_TABLES:
            raise SettingsError(f"{path}: {_unknown(key, _BY_KEY)} {_taking_out(key)}")
        elif not isinstance(value, dict):
            raise SettingsError(
                f"{path}: {key} is {value!r}. Options go into a table of their own,"
                f" [{table}.NAME], with NAME the {table.removesuffix('s')}'s name."
                f" {_taking_out(key)}"
            )
        elif table == "drivers" and not _can_be_asked_for(name):
            raise SettingsError(
                f"{path}: [drivers.{name!r}] has a name that `-m NAME:MODEL` cannot"
                " say: it must not be empty, begin or end with a space, or have a colon in it."
                " Mend it in an editor."
            )

        elif key in NAME_TABLES:
            for inner, wanted in value.items():
                if not isinstance(wanted, str):
                    raise SettingsError(
                        f"{path}: {key}.{inner} is {wanted!r}; it must be a text."
                        f" {_taking_out(f'{key}.{inner}')}"
                    )


def _can_be_asked_for(name: str) -> bool:
    return bool(name) and name == name.strip() and ":" not in name


def _fitting(setting: Setting, value: Any, path: str) -> Any:
    fits, wanted = _KINDS[setting.kind]
    if not fits(value):
        raise SettingsError(
            f"{path}: {setting.key} is {value!r}; it must be {wanted}. Mend it:"
            f" `agenthost config set {setting.key} …`. {_taking_out(setting.key)}"
        )
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_KINDS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "text": (lambda value: isinstance(value, str) and bool(value), "a text"),
    "texts": (
        lambda value: isinstance(value, list) and all(isinstance(item, str) for item in value),
        "a list of texts",
    ),
    "count": (
        lambda value: _is_number(value) and isinstance(value, int) and value >= 1,
        "a whole number of at least 1",
    ),
    "seconds": (lambda value: _is_number(value) and value > 0, "a number of seconds above 0"),
}


def _list_of(text: str) -> Any:
    if text.startswith("["):
        return _toml_value(text)
    return [item.strip() for item in text.split(",") if item.strip()]


def _number(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _toml_value(text: str) -> Any:
    """Return the text as TOML reads it; a text that is no TOML value is a text."""
    import tomllib

    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _taking_out(key: str) -> str:
    return f"Take it out: `agenthost config set {key} --unset`."


def _unknown(key: str, known: Any) -> str:
    if within := [name for name in known if name.startswith(f"{key}.")]:
        return f"{key!r} is a table, and no setting. In it: {', '.join(within)}."
    near = nearest(key, known, most=1)
    meant = f" Did you mean {near[0]!r}?" if near else ""
    return f"{key!r} is no setting.{meant} `agenthost config show` lists them."
