"""Find the keys of providers, and remember which values must never be shown."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping

#: A shorter value is a placeholder or any word; blotting it out would only mar a text.
SHORTEST_SECRET = 8

#: Returns the key of a name such as "OPENAI_API_KEY"; "" where it has none.
Source = Callable[[str], str]


def find_key(name: str | None) -> str:
    """Return the key of that name; "" where none is set.

    The environment goes first, then each source in the order in which they were added. What is
    found is taken out of every text that is made fit to be shown from then on.

    Args:
        name: An environment variable's name; None, for a driver that needs no key, finds none.

    Raises:
        SettingsError: A source that was asked, such as the file of keys, cannot be read.
    """
    if not name:
        return ""
    key = os.environ.get(name, "").strip() or _from_sources(name)
    keep_secret(key)
    return key


def is_set(name: str | None) -> bool:
    """Return whether a key of that name can be found; raises what `find_key` does."""
    return bool(find_key(name))


def add_source(source: Source) -> None:
    """Look keys up in one more place; one that was added before is not asked twice."""
    with _lock:
        if source not in _sources:
            _sources.append(source)


def keep_secret(value: str | None) -> None:
    """Take a value out of every text that is made fit to be shown from now on.

    For a key that came another way than through `find_key`, such as `api_key=…` in code. A value
    of less than `SHORTEST_SECRET` characters is not kept.
    """
    secret = (value or "").strip()
    if len(secret) >= SHORTEST_SECRET:
        with _lock:
            _secrets[secret] = None


def keep_header_secrets(headers: Mapping[str, str]) -> None:
    """Take the keys that headers bear, by their names, out of every text from now on."""
    for name, value in headers.items():
        if any(word in name.lower() for word in _SECRET_HEADERS):
            keep_secret(str(value).rpartition(" ")[2])  # what follows "Bearer"


#: Words in the names of headers that bear a key.
_SECRET_HEADERS = ("auth", "key", "token", "secret", "cookie")


def kept_secrets() -> tuple[str, ...]:
    """Return the values that must not be shown; not for anything but taking them out."""
    with _lock:
        return tuple(_secrets)


def forget_secrets() -> None:
    """Show again what was kept from being shown, such as between two tests of one process."""
    with _lock:
        _secrets.clear()


# Of the process, as the environment is: a key must not be shown wherever it was found.
_lock = threading.Lock()
_sources: list[Source] = []
_secrets: dict[str, None] = {}


def _from_sources(name: str) -> str:
    return next(filter(None, (source(name).strip() for source in tuple(_sources))), "")
