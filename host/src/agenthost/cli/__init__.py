"""The command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    import gc

    _open_closed_streams()
    # Nothing that a command line makes while it starts is garbage; looking for some costs a
    # tenth of the start-up. The command itself runs with the collector on.
    gc.disable()
    try:
        from agenthost.cli.completing import answer_shell, is_asked
        from agenthost.cli.ending import close_output, end_in_time
        from agenthost.cli.failures import guarded
        from agenthost.cli.root import cli, in_front

        if is_asked():
            return answer_shell(cli)
        if arguments is not None:
            return guarded(cli, in_front(arguments))
        code = guarded(cli, in_front(sys.argv[1:]))
        close_output()
        end_in_time(code)
        return code
    except KeyboardInterrupt:  # before the command began, or while its end was told
        print("Interrupted.", file=sys.stderr)
        return 130
    finally:
        gc.enable()


def _open_closed_streams() -> None:
    """Give a stream that was closed before this began one that is empty and takes everything."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # The lowest free number is taken, so nothing opened later passes for the stream.
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - it lasts to the end
