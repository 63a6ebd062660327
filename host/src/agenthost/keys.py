"""Keep the keys of providers: in a file that only its owner can read, or in the system keyring."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from typing import Any, Literal, NamedTuple

from agenthost.folders import Folders, find_folders, write_whole
from agenthost_sdk.errors import NotFoundError, SettingsError
from agenthost_sdk.keys import add_source, keep_secret

#: The file of keys, in the settings folder.
KEYS_FILE = "keys.json"

#: What a keyring is reached through, and how it is installed.
KEYRING_INSTALL = 'pip install "agenthost[keyring]"'

#: Where a key is kept.
Place = Literal["file", "keyring"]


def use_key_store() -> None:
    """Let `agenthost_sdk.keys.find_key` look into this person's key store too.

    Nothing is read before a key is looked up that the environment does not hold.
    """
    add_source(_of_this_person)


def _of_this_person(name: str) -> str:
    return KeyStore(find_folders()).get(name)


class _Content(NamedTuple):
    """What the file holds."""

    #: The keys that are kept in it.
    keys: Mapping[str, str]
    #: The names of those that are kept in the keyring, so that no other asks for it.
    in_keyring: tuple[str, ...]


class KeyStore:
    """The keys that a person gave agenthost to keep.

    They are in `keys.json` in the settings folder, which no one else can read, not even while it
    is written; it also says which keys are in the system keyring. The package keyring is imported
    for those alone. The file is read anew each time, and many threads and processes may use one.

    Args:
        folders: Where the settings are; each settings folder has a store of its own.
    """

    def __init__(self, folders: Folders) -> None:
        self.path = os.path.join(folders.config, KEYS_FILE)
        self._folder = folders.config

    def get(self, name: str) -> str:
        """Return a key; "" where none of that name is kept.

        Raises:
            SettingsError: The file or the keyring cannot be read, or the keyring lost the key.
        """
        content = self._read()
        if name in content.in_keyring:
            return self._from_keyring(name)
        key = content.keys.get(name, "")
        keep_secret(key)
        if key:
            for line in self._exposure():
                _warn_once(line)
        return key

    def set(self, name: str, value: str, *, keyring: bool = False) -> str:
        """Keep a key, in place of the one of that name that was kept before.

        Args:
            name: The environment variable that would go before it.
            value: The key; what stands round it of spaces and line breaks is left out.
            keyring: Keep it in the system keyring.

        Returns:
            What is left to be done by hand, as a sentence; "" where nothing is.

        Raises:
            SettingsError: The name or the value does not do, or it cannot be kept; what was kept
                before stays.
        """
        check_name(name)
        key = checked_key(value)
        with self._alone():
            before = self._read()
            others = tuple(one for one in before.in_keyring if one != name)
            keys = {one: kept for one, kept in before.keys.items() if one != name}
            if keyring:
                self._into_keyring(name, key)
                self._write(_Content(keys, (*others, name)))
                return ""
            self._write(_Content({**keys, name: key}, others))
            return self._out_of_keyring(name) if name in before.in_keyring else ""

    def remove(self, name: str) -> str:
        """Forget a key.

        Returns:
            What is left to be done by hand, as a sentence; "" where nothing is.

        Raises:
            NotFoundError: No key of that name is kept.
            SettingsError: The file cannot be read or written.
        """
        with self._alone():
            before = self._read()
            if name not in (*before.keys, *before.in_keyring):
                raise NotFoundError("key", name, self.names())
            keys = {one: kept for one, kept in before.keys.items() if one != name}
            self._write(_Content(keys, tuple(one for one in before.in_keyring if one != name)))
            return self._out_of_keyring(name) if name in before.in_keyring else ""

    def names(self) -> list[str]:
        """Return the names of the keys that are kept; the keyring is not asked."""
        return sorted(self.places())

    def places(self) -> dict[str, Place]:
        """Return where each key is kept, by its name; the keyring is not asked.

        Raises:
            SettingsError: The file cannot be read.
        """
        content = self._read()
        in_file: dict[str, Place] = dict.fromkeys(content.keys, "file")
        return in_file | dict.fromkeys(content.in_keyring, "keyring")

    def problems(self) -> Iterator[str]:
        """Yield a line for each thing that is wrong with the file, with what mends it."""
        try:
            self._read()
        except SettingsError as error:
            yield str(error)
        else:
            yield from self._exposure()

    def keyring_problems(self) -> Iterator[str]:
        """Yield a line where keys are kept in the keyring and it cannot be used.

        Raises:
            SettingsError: The file cannot be read.
        """
        names = self._read().in_keyring
        if not names:
            return
        try:
            _usable_keyring()
        except _NoKeyring as error:
            yield f"The system keyring, which has {', '.join(names)}, cannot be used: {error}"

    @property
    def _service(self) -> str:
        """The name under which the keyring has the keys of this settings folder."""
        return f"agenthost {self._folder}"

    def _exposure(self) -> Iterator[str]:
        """Yield a line where others than the owner can read the file, which is used all the same.

        Windows has no such modes; there the folder is the person's own.
        """
        if os.name != "posix":
            return
        with suppress(OSError):
            if os.stat(self.path).st_mode & 0o077:
                mend = f"chmod 600 {shlex.quote(self.path)}"
                yield f"Others can read the keys in {self.path}. Mend it: `{mend}`."

    def _read(self) -> _Content:
        try:
            with open(self.path, "rb") as file:
                content = file.read()
        except FileNotFoundError:
            return _Content({}, ())
        except OSError as error:
            raise SettingsError(f"{self.path} cannot be read: {error.strerror}.") from error
        return _parsed(content, self.path)

    def _write(self, content: _Content) -> None:
        import json  # only who has keys needs it

        body = {"keys": dict(content.keys), "keyring": list(content.in_keyring)}
        try:
            # The file that takes the place of the old one is its owner's alone from the first.
            write_whole(self.path, json.dumps(body, indent=2) + "\n")
        except OSError as error:
            raise self._unwritable(error) from error

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Let one at a time change the file, where the system can see to it."""
        try:
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
        except OSError as error:
            raise self._unwritable(error) from error
        try:
            import fcntl
        except ImportError:  # on Windows
            yield
            return
        handle = os.open(self._folder, os.O_RDONLY)
        try:
            with suppress(OSError):  # not every file system over a network can
                fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def _unwritable(self, error: OSError) -> SettingsError:
        return SettingsError(f"{self.path} cannot be written: {error.strerror}.")

    def _from_keyring(self, name: str) -> str:
        ways = (
            f"Until then: set the variable {name}, keep the key in a file that only you can read"
            f" (`agenthost keys set {name}`), or do without it (`agenthost keys remove {name}`)."
        )
        try:
            key = str(_usable_keyring().get_password(self._service, name) or "")
        except Exception as error:  # each keyring raises what it likes
            raise SettingsError(
                f"{name} is kept in the system keyring, which cannot be read:"
                f" {_words(error)} {ways}"
            ) from None
        if not key:
            raise SettingsError(
                f"{name} is kept in the system keyring, which has it no more under"
                f" {self._service!r}. Set it anew: `agenthost keys set {name} --keyring`. {ways}"
            )
        keep_secret(key)
        return key

    def _into_keyring(self, name: str, key: str) -> None:
        try:
            keyring = _usable_keyring()
            keyring.set_password(self._service, name, key)
            if keyring.get_password(self._service, name) != key:
                raise _NoKeyring("what was put into it does not come back.")
        except Exception as error:  # as above
            raise SettingsError(
                f"{name} is not set: the system keyring cannot keep it. {_words(error)} To keep it"
                f" in a file that only you can read: `agenthost keys set {name}`."
            ) from None

    def _out_of_keyring(self, name: str) -> str:
        """Take a key out of the keyring; return what is left to be done where that fails."""
        try:
            keyring = _usable_keyring()
            if keyring.get_password(self._service, name) is not None:
                keyring.delete_password(self._service, name)
        except Exception as error:  # as above
            return (
                f"The system keyring still has the old {name}, under {self._service!r}, and"
                f" agenthost will not use it. It could not be taken out there: {_words(error)}"
            )
        return ""


def check_name(name: str) -> None:
    """Refuse what cannot be the name of a key, as an environment variable has it.

    Raises:
        SettingsError: It cannot; what was given is not in the message, since it may be a key.
    """
    if not (name.isascii() and name.isidentifier()):
        raise SettingsError(
            "A key's name is that of an environment variable: letters, digits and underscores,"
            " such as OPENAI_API_KEY. What was given is not repeated, since it may be the key."
        )


def checked_key(value: str) -> str:
    """Return a key without the spaces and line breaks round it.

    Raises:
        SettingsError: It is none; it is not in the message.
    """
    key = value.strip()
    keep_secret(key)
    if not key:
        raise SettingsError("No key was given: what was read is empty. Nothing was changed.")
    if len(key.splitlines()) > 1:
        raise SettingsError(
            f"A key is one line, and {len(key.splitlines())} were given. Nothing was changed."
        )
    if not key.isprintable():
        raise SettingsError(
            "The key holds characters that cannot be seen. Copy it anew. Nothing was changed."
        )
    return key


class _NoKeyring(Exception):  # noqa: N818 - it never leaves this module
    """There is no keyring that can be used; the message says why, and what mends it."""


def _usable_keyring() -> Any:
    """Import the package keyring and return it, if some keyring is behind it."""
    try:
        keyring: Any = import_module("keyring")  # of an extra, which few install
    except ImportError:
        raise _NoKeyring(
            f"the package keyring is not installed. Install it: `{KEYRING_INSTALL}`."
        ) from None
    except Exception as error:  # it looks at what the system has, and that may fail
        raise _NoKeyring(_words(error)) from None
    if type(keyring.get_keyring()).__module__.startswith(("keyring.backends.fail", _NULL)):
        raise _NoKeyring(
            "the package keyring finds none on this system. `keyring --list-backends` shows what"
            " it looked for; on a server there often is none."
        )
    return keyring


#: The one that forgets what it is given.
_NULL = "keyring.backends.null"


def _words(error: Exception) -> str:
    """Return what a keyring raised in a sentence, without the key, which it may quote."""
    if isinstance(error, _NoKeyring):
        return str(error)
    from agenthost_sdk.redaction import redacted

    said = " ".join(redacted(str(error)).split())[:300].rstrip(".")
    return f"{type(error).__name__}: {said}." if said else f"{type(error).__name__}."


def _parsed(content: bytes, path: str) -> _Content:
    import json

    try:
        return _content(json.loads(content.decode()))
    except json.JSONDecodeError as error:
        fault = f"it is no valid JSON: {error.msg} in line {error.lineno}, column {error.colno}"
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        fault = f"it is no UTF-8 in line {line}"
    except (_Misshapen, RecursionError) as error:
        fault = str(error)
    # What was raised holds all that the file holds, keys too, and goes no further.
    raise SettingsError(
        f"{path} cannot be used: {fault}. Mend it in an editor, or delete it and set your keys"
        " anew: `agenthost keys set NAME`."
    )


class _Misshapen(ValueError):  # noqa: N818 - likewise
    """The file is JSON, and not what `KeyStore` wrote."""


def _content(document: Any) -> _Content:
    if not isinstance(document, dict) or not set(document) <= {"keys", "keyring"}:
        raise _Misshapen('it must be an object with "keys" and "keyring" in it, and no more')
    keys, in_keyring = document.get("keys", {}), document.get("keyring", [])
    if not isinstance(keys, dict):
        raise _Misshapen('"keys" must be an object, with a text for each name')
    for name, key in keys.items():
        if not isinstance(key, str):
            raise _Misshapen(f'"keys" must be an object of texts, and {name} has none')
    if not isinstance(in_keyring, list) or not all(isinstance(one, str) for one in in_keyring):
        raise _Misshapen('"keyring" must be a list of names')
    return _Content(keys, tuple(in_keyring))


@cache
def _warn_once(line: str) -> None:
    import logging

    logging.getLogger("agenthost").warning("%s", line)
