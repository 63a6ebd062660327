"""Keep in `plugins.toml` what was asked for, so that it can be installed again elsewhere."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

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
        try:
            return {name: Recorded(name=name, **_fields(row)) for name, row in rows.items()}
        except (TypeError, AttributeError) as error:
            raise self._unreadable(f"it holds what was never written ({error})") from error

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
            table[row.name] = {key: value for key, value in written.items() if value}
        self._write(document)

    def remove(self, names: Iterable[str]) -> None:
        """Strike out these names, as far as they are there.

        Raises:
            SettingsError: The file cannot be read or written.
        """
        document = self._document()
        table = document.get("plugins", {})
        known = [name for name in names if name in table]
        for name in known:
            del table[name]
        if known:
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


def _fields(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key.replace("-", "_"): value for key, value in row.items()}
