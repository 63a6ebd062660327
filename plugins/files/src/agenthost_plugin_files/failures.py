"""Say in words for the model what a system call refused."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from agenthost_sdk.errors import ToolError

_WORDS = {
    errno.ENOENT: "There is no file or folder {path!r}.",
    errno.ENOTDIR: "{path!r} is no folder, or is a link; links are not followed.",
    errno.EISDIR: "{path!r} is a folder, not a file.",
    errno.ELOOP: "{path!r} is a link; links are not followed.",
    errno.EACCES: "{path!r} may not be opened or changed by the user whom the host runs as.",
    errno.EPERM: "{path!r} may not be opened or changed by the user whom the host runs as.",
    errno.ENAMETOOLONG: "A name in the path is too long for the file system; shorten it.",
    errno.EROFS: "{path!r} is on a file system that is read-only.",
    errno.ENOSPC: "{path!r} was not written: no space is left.",
}


@contextmanager
def told(path: str) -> Iterator[None]:
    """Turn what the system refuses within the block into a `ToolError`.

    The system's own message may hold the whole path, so it is not passed on.

    Args:
        path: The path as the model knows it.
    """
    try:
        yield
    except OSError as error:
        raise ToolError(_words(error).format(path=path or ".")) from error


def _words(error: OSError) -> str:
    reason = (error.strerror or "the system refused").replace("{", "{{").replace("}", "}}")
    return _WORDS.get(error.errno or 0, f"{{path!r}} cannot be used: {reason}.")
