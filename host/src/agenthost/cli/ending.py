"""End the process in time, whatever threads and prints a plugin has left behind."""

from __future__ import annotations

import os
import sys
import threading
import time

#: How long a thread that a plugin started may hold the exit, in seconds.
_GRACE = 3.0


def close_output() -> None:
    """Send what plugins print while this process ends to the standard error."""
    try:
        sys.stdout.flush()
        os.dup2(2, 1)
    except (OSError, ValueError):  # one of both is closed
        return


def end_in_time(code: int) -> None:
    """See to it that the process ends, should a thread that is no daemon never do so.

    An interpreter waits for such threads; those of a pool that is idle end by themselves then.

    Args:
        code: What the process exits with.
    """
    own = threading.main_thread()
    left = [one for one in threading.enumerate() if not one.daemon and one is not own]
    if left:
        threading.Thread(target=_give_up, args=(left, code), daemon=True).start()


def _give_up(left: list[threading.Thread], code: int) -> None:
    deadline = time.monotonic() + _GRACE
    for one in left:
        one.join(max(0.0, deadline - time.monotonic()))
    stuck = [one.name for one in left if one.is_alive()]
    if stuck:
        words = f"agenthost: a plugin's thread does not end, and is left behind: {stuck[0]}.\n"
        os.write(2, words.encode())
        os._exit(code)
