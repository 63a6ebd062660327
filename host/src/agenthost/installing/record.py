"""Keep in `plugins.toml` what was asked for, so that it can be installed again elsewhere."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from packaging.utils import canonicalize_name

from agenthost.folders import Folders, write_whole
from agenthost.installing.asked import Asked, without_credentials
from agenthost.installing.distributions import installed
from agenthost.installing.installers import Choices
from agenthost_sdk.errors import SettingsError

#: The file's name, in the settings folder.
RECORD_FILE = "plugins.toml"

_HEAD = "What was asked for by `agenthost plugins install`; `agenthost plugins sync` restores it."


class Recorded(NamedTuple):
    """A distribution that was asked for."""

    name: str
    #: A requirement, or an absolute path; without credentials.
    requirement: str
    path: str = ""
    editable: bool = False
    pre: bool = False
    #: The index that it was had from, without credentials; "" for the usual one.
    index_url: str = ""

    @property
    def asked(self) -> Asked:
        """What is to be installed."""
        return Asked(self.name, self.requirement, self.path, self.editable)

    @property
    def choices(self) -> Choices:
        """How it is to be installed."""
        return Choices(pre=self.pre, index_url=self.index_url)

    @classmethod
    def of(cls, asked: Asked, choices: Choices) -> Recorded:
        """Return what is written down of something that was installed."""
        text, index = without_credentials(asked.text), without_credentials(choices.index_url)
        return cls(asked.name, text, asked.path, asked.editable, choices.pre, index)


class Record:
    """The file in which it stands; it is read anew each time.

    Args:
        folders: Where the settings are; the record lies beside them.
    """

    def __init__(self, folders: Folders) -> None:
        self.path = os.path.join(folders.config, RECORD_FILE)  # noqa: PTH118 - folders are texts

    def read(self) -> dict[str, Recorded]:
        """Return what was asked for, by the distribution's name.

        Raises:
            SettingsError: The file cannot be read.
        """
        rows = self._document().unwrap().get("plugins", {})
        if not isinstance(rows, dict):
            raise self._unreadable("`plugins` is no table")
        found: dict[str, Recorded] = {}
        for written, row in rows.items():
            fault = _fault(row)
            if fault:
                raise self._unreadable(f"in [plugins.{written}] {fault}")
            name = canonicalize_name(written)
            found[name] = Recorded(name=name, **_fields(row))
        return found

    def put(self, rows: Iterable[Recorded]) -> None:
        """Write down what was asked for, in place of what was under these names.

        Raises:
            SettingsError: The file cannot be read or written.
        """
        import tomlkit

        document = self._document()
        table = document.setdefault("plugins", tomlkit.table(is_super_table=True))
        for row in rows:
            written = {key.replace("_", "-"): value for key, value in row._asdict().items()}
            del written["name"]
            _strike(table, [row.name])
            table[row.name] = {key: value for key, value in written.items() if value}
        self._write(document)

    def remove(self, names: Iterable[str]) -> None:
        """Strike out these names, as far as they are there.

        Raises:
            SettingsError: The file cannot be read or written.
        """
        document = self._document()
        table = document.get("plugins", {})
        if _strike(table, names):
            self._write(document)

    def _document(self) -> Any:
        import tomlkit
        from tomlkit.exceptions import TOMLKitError

        try:
            return tomlkit.parse(Path(self.path).read_bytes())
        except FileNotFoundError:
            document = tomlkit.document()
            document.add(tomlkit.comment(_HEAD))
            return document
        except OSError as error:
            raise self._unreadable(str(error.strerror or error)) from error
        except (TOMLKitError, UnicodeDecodeError) as error:
            raise self._unreadable(f"it is no valid TOML ({error})") from error

    def _unreadable(self, reason: str) -> SettingsError:
        return SettingsError(f"{self.path} cannot be read: {reason}. Mend it, or remove the file.")

    def _write(self, document: Any) -> None:
        import tomlkit

        try:
            write_whole(self.path, tomlkit.dumps(document))
        except OSError as error:
            raise SettingsError(
                f"{self.path} cannot be written: {error.strerror or error}."
            ) from error


def missing_from(folders: Folders) -> list[str]:
    """Return the names of what was asked for once and is not installed.

    Raises:
        SettingsError: The record cannot be read.
    """
    wanted = Record(folders).read()
    if not wanted:
        return []
    there = installed()
    return [name for name in wanted if name not in there]


def _strike(table: Any, names: Iterable[str]) -> list[str]:
    """Take out names, however a person spelt them; return what was taken out."""
    meant = set(names)
    struck = [written for written in table if canonicalize_name(written) in meant]
    for written in struck:
        del table[written]
    return struck


def _fields(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that are known here; a later version may have written others."""
    fields = {key.replace("-", "_"): value for key, value in row.items()}
    return {key: value for key, value in fields.items() if key in _TYPES}


def _fault(row: Any) -> str:
    """Return in words what no installer can be given."""
    if not isinstance(row, dict):
        return "there is no table"
    wrong = [key for key, value in _fields(row).items() if type(value) is not _TYPES[key]]
    if wrong:
        return f"{wrong[0].replace('_', '-')} is of another type than it was ever written in"
    requirement = row.get("requirement", "").strip()
    # What begins like an option would be one to the installer.
    return "" if requirement and not requirement.startswith("-") else "no requirement stands"


#: The fields that are written, and of which type each is.
_TYPES: Mapping[str, type] = {
    "requirement": str,
    "path": str,
    "editable": bool,
    "pre": bool,
    "index_url": str,
}
