"""Send a call to another process, so that what cannot be read there is that call's own error."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any


class SentCall:
    """A call on its way to another process; `pickle` reads it there when it is called.

    A pool of processes dies of something that it cannot read, and takes all other calls along: a
    class of a module that the other process cannot import, say. So it is given bytes, which are
    read within the call; and it gives bytes back, which `result_of` reads.

    Args:
        data: The call as `pickle` wrote it.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data

    @classmethod
    def of(cls, function: Callable[..., Any], *arguments: Any) -> SentCall:
        """Return a call that can be sent.

        Raises:
            Exception: `pickle` cannot write it.
        """
        return cls(pickle.dumps((function, arguments)))

    def __call__(self) -> bytes:
        """Read the call, do it, and write down what came of it."""
        function, arguments = pickle.loads(self.data)  # noqa: S301 - the host wrote it
        return pickle.dumps(function(*arguments))


def result_of(returned: Any) -> Any:
    """Return what came of a call, whether it was sent or done here.

    Raises:
        Exception: `pickle` cannot read it.
    """
    return pickle.loads(returned) if isinstance(returned, bytes) else returned  # noqa: S301 - ours
