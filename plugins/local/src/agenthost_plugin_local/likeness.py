"""Tell how like two texts are in meaning, with a small embedding model, and remember it."""

from __future__ import annotations

import hashlib
import os
import struct
import tempfile
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from agenthost_plugin_local.engine import Engine

#: A text is cut after so many characters; its beginning says what it is about.
LONGEST = 400
_DIGEST = 16
#: The model takes so many tokens at once; several texts share them.
_BATCH = 16


#: So many texts of users are remembered before all of them are forgotten.
MOST_PASSING = 2000

Vector = tuple[float, ...]


@dataclass
class Likeness:
    """Compares texts by their meaning. It serves many threads.

    Args:
        engine: The embedding model.
        store: A file that keeps the vectors of texts that are the same in every run, such as
            the examples of tools; what a user says is never written.
    """

    engine: Engine
    store: Path
    _learned: dict[str, Vector] = field(default_factory=dict)
    _passing: dict[str, Vector] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _is_read: bool = False

    def __call__(self, first: str, second: str) -> float:
        """Return how like the texts are, from -1 to 1."""
        one, other = self.vector(first), self.vector(second)
        return sum(x * y for x, y in zip(one, other, strict=True))

    def vector(self, text: str) -> Vector:
        """Return the text's vector, of length one."""
        key = _key(text)
        with self._lock:
            found = self._learned.get(key) or self._passing.get(key)
            if found is None:
                if len(self._passing) >= MOST_PASSING:
                    self._passing.clear()
                found = self._passing[key] = self._embed([text])[0]
        return found

    def learn(self, texts: Iterable[str]) -> None:
        """Prepare texts that do not change from run to run, and keep what was prepared."""
        known = {_key(text): text for text in texts}
        with self._lock:
            if not self._is_read:
                self._learned.update(_read(self.store))
                self._is_read = True
            missing = {key: text for key, text in known.items() if key not in self._learned}
            added = dict(zip(missing, self._embed(list(missing.values())), strict=True))
            self._learned.update(added)
        if added:
            _append(self.store, added)

    def _embed(self, texts: Sequence[str]) -> list[Vector]:
        cut = [text[:LONGEST] or " " for text in texts]
        batches = (cut[start : start + _BATCH] for start in range(0, len(cut), _BATCH))
        return [tuple(vector) for batch in batches for vector in self.engine.embed(batch)]


def _key(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=_DIGEST).hexdigest()


def _read(store: Path) -> dict[str, Vector]:
    """Return the vectors in a file: its dimension, then key after key with its numbers."""
    try:
        raw = store.read_bytes()
    except OSError:
        return {}
    size = struct.unpack_from("<I", raw)[0] if len(raw) >= 4 else 0
    record = struct.Struct(f"<{_DIGEST}s{size}f")
    if not size or (len(raw) - 4) % record.size:
        return {}
    return {key.hex(): tuple(vector) for key, *vector in record.iter_unpack(raw[4:])}


def _append(store: Path, added: dict[str, Vector]) -> None:
    """Write the file anew with what was added; a folder that cannot be written is no fault."""
    vectors = {**_read(store), **added}
    size = len(next(iter(vectors.values())))
    record = struct.Struct(f"<{_DIGEST}s{size}f")
    body = b"".join(record.pack(bytes.fromhex(key), *vector) for key, vector in vectors.items())
    with suppress(OSError):
        store.parent.mkdir(parents=True, exist_ok=True)
        handle, beside = tempfile.mkstemp(dir=store.parent, prefix=".likeness-")
        with os.fdopen(handle, "wb") as file:
            file.write(struct.pack("<I", size) + body)
        Path(beside).replace(store)
