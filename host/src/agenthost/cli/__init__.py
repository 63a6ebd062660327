"""The command line."""

from __future__ import annotations

from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    import gc

    # Nothing that a command line makes while it starts is garbage; looking for some costs a
    # tenth of the start-up. The command itself runs with the collector on.
    gc.disable()
    try:
        from agenthost.cli.failures import guarded
        from agenthost.cli.root import cli

        return guarded(cli, arguments)
    finally:
        gc.enable()
