"""Count tokens with tiktoken, where it is installed and has its data on this machine."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from agenthost_sdk.messages import ActionCallMessageContent, Message

# The encodings of the models, with the hash of their data, as tiktoken has both; the first that
# fits counts. tiktoken would fetch data that are missing, or that have another hash.
_ENCODINGS = (
    (
        re.compile(r"gpt-(3\.5|4(?![.o]))|text-embedding"),
        "cl100k_base",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    ),
    (
        re.compile(r"gpt-|chatgpt-|o\d"),
        "o200k_base",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    ),
)
_DATA = "https://openaipublic.blob.core.windows.net/encodings/{name}.tiktoken"

# What each message, and the reply, costs beside its words.
_PER_MESSAGE = 3
_PER_REPLY = 3


def counted(messages: Sequence[Message], model: str) -> int | None:
    """Return how many tokens the messages have; None where it cannot be told. Nothing is fetched.

    Pictures, sound and documents count by their description only.
    """
    count = _counter(model, _folder())
    if count is None:
        return None
    return _PER_REPLY + sum(_PER_MESSAGE + count(_words(message)) for message in messages)


def _words(message: Message) -> str:
    return "\n".join(
        f"{block.native} {block.arguments}"
        if isinstance(block, ActionCallMessageContent)
        else block.to_text()
        for block in message.content
    )


@cache
def _counter(model: str, folder: Path | None) -> Callable[[str], int] | None:
    name, sha256 = next(
        ((name, sha256) for pattern, name, sha256 in _ENCODINGS if pattern.match(model)), ("", "")
    )
    if not name or find_spec("tiktoken") is None or not _is_here(name, sha256, folder):
        return None
    import tiktoken  # type: ignore[import-not-found]  # optional; it and its data take a second

    encode = tiktoken.get_encoding(name).encode_ordinary
    return lambda words: len(encode(words))


def _folder() -> Path | None:
    """Return where tiktoken looks for its data; None where it keeps none and always fetches."""
    named = (os.environ.get(one) for one in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"))
    folder = next((one for one in named if one is not None), None)
    if folder is None:
        return Path(tempfile.gettempdir(), "data-gym-cache")
    return Path(folder) if folder else None


def _is_here(name: str, sha256: str, folder: Path | None) -> bool:
    """Return whether the data of an encoding lie where tiktoken looks for them."""
    if folder is None:
        return False
    address = _DATA.format(name=name)
    try:
        data = (folder / hashlib.sha1(address.encode()).hexdigest()).read_bytes()  # noqa: S324
    except OSError:
        return False
    return hashlib.sha256(data).hexdigest() == sha256
