"""Read and write `agenthost.toml`."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import Any

from agenthost.folders import write_whole
from agenthost.settings.keys import check_key, checked
from agenthost_sdk.errors import SettingsError


def read_document(path: str) -> dict[str, Any]:
    """Return the settings file as it stands; nothing where there is none.

    Raises:
        SettingsError: It cannot be read, or is no TOML.
    """
    try:
        with open(path, "rb") as file:
            content = file.read()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror or error}.") from error
    return _parsed(content, path)


def write_setting(path: str, key: str, value: Any) -> None:
    """Set one key in the settings file; comments and order stay as they are.

    The file is replaced as a whole. A value is set only when all of the file holds then.
    A key is taken out of a file that holds other things that are wrong, too, so that it can be
    mended; a table that is left empty goes with it.

    Args:
        path: The settings file, which need not exist.
        key: The key with dots, such as "limits.max_subtasks" or "tools.Inventory.warehouse".
        value: What the file is to hold; None takes the key out.

    Raises:
        SettingsError: The key is no setting, the value does not fit, or the file is wrong.
    """
    import tomlkit  # reading needs it not; it is what keeps comments

    read_document(path)
    document = tomlkit.parse(_text(path))
    if value is None:
        if not _taken_out(document, key.split(".")):
            check_key(key)
        text = tomlkit.dumps(document)
    else:
        _put(document, key.split("."), value)
        text = tomlkit.dumps(document)
        list(checked(_parsed(text.encode(), path), path))
    try:
        write_whole(path, text)
    except OSError as error:
        raise SettingsError(f"{path} cannot be written: {error.strerror or error}.") from error


def _parsed(content: bytes, path: str) -> dict[str, Any]:
    import tomllib  # most people have no settings file, and need it not

    try:
        return tomllib.loads(content.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is no valid TOML: {error}. Mend it in an editor.") from error


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def _put(container: Any, parts: list[str], value: Any) -> None:
    import tomlkit

    *tables, name = parts
    for table in tables:
        if table not in container:
            # A table that only holds tables needs no header of its own.
            container[table] = tomlkit.table(is_super_table=parts[-2] != table)
        container = container[table]
        if not isinstance(container, Mapping):
            raise SettingsError(f"{table} is no table in the settings file; mend that first.")
    container[name] = value


def _taken_out(container: Any, parts: list[str]) -> bool:
    """Take a key out, and the tables that are empty without it; return whether it was there."""
    name, *inside = parts
    if not isinstance(container, MutableMapping) or name not in container:
        return False
    if not inside:
        container.pop(name)
        return True
    found = _taken_out(container[name], inside)
    if found and _is_bare(container[name]):
        container.pop(name)
    return found


def _is_bare(table: Any) -> bool:
    """Return whether a table has neither keys nor comments in it."""
    return not table and "#" not in table.as_string()
