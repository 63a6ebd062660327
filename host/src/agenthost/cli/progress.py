"""Show on the terminal what happens in a run: actions on stderr, the answer as it comes."""

from __future__ import annotations

import json
from typing import TextIO

import click

from agenthost.cli.output import print_foreign, without_keys
from agenthost.cli.visible import visible
from agenthost.records.bus import RunCancelled
from agenthost_sdk.actions import ToolAction
from agenthost_sdk.artifacts import BaseArtifact, ErrorArtifact
from agenthost_sdk.events import (
    BaseEvent,
    FinishActionEvent,
    RestartPromptEvent,
    StartPromptEvent,
    TextChunkEvent,
)
from agenthost_sdk.redaction import GrowingText

#: How much of an input or a result is shown.
_SHOWN = 200


class Progress:
    """A listener that tells a person of a run while it goes on.

    Args:
        streams: Show text as it comes; only in a native dialect, where text is meant for the
            person. In the text dialects the answer is shown when it is read.
        output: Where text is shown; the standard output where nothing is given.
    """

    def __init__(self, *, streams: bool, output: TextIO | None = None) -> None:
        self.native = True
        self.output = output
        self._streams = streams
        self._text = ""
        self._shown: GrowingText | None = None

    def __call__(self, event: BaseEvent) -> None:
        """Show an event.

        Raises:
            RunCancelled: Nobody reads any more what is shown.
        """
        try:
            self._show(event)
        except BrokenPipeError as error:
            raise RunCancelled from error

    def _show(self, event: BaseEvent) -> None:
        match event:
            case StartPromptEvent():
                self.end()
                self._text = ""
            case RestartPromptEvent(error=error):
                self.tell(without_keys(f"asked again: {_short(error)}"))
                self._text = ""  # void, though it stands there
            case TextChunkEvent(token=token) if self._streams and self.native:
                self._text += token
                self._shown = self._shown or GrowingText()
                print_foreign(self._shown.add(token), self.output, nl=False)
            case FinishActionEvent(action=action, output=output):
                self.tell(without_keys(f"{_asked(action)} → {_came(output)}"))

    def tell(self, line: str) -> None:
        """Print a line on stderr."""
        self.end()
        click.echo(click.style(f"· {visible(line)}", dim=True), err=True)

    def end(self) -> None:
        """End the line of the text shown so far."""
        if self._shown is not None:
            print_foreign(self._shown.rest(), self.output, nl=False)
            self._shown = None
        if self._text and not self._text.endswith("\n"):
            self._text += "\n"
            click.echo(file=self.output)

    def has_shown(self, output: BaseArtifact | None) -> bool:
        """Return whether the answer stands on the terminal already."""
        return (
            bool(self._text) and output is not None and self._text.strip() == str(output).strip()
        )


def _asked(action: ToolAction) -> str:
    return f"{action.native}({_short(json.dumps(dict(action.input), ensure_ascii=False))})"


def _came(output: BaseArtifact) -> str:
    if not isinstance(output, ErrorArtifact):
        return _short(output.to_text())
    # A denial ends with what allows the action.
    return output.value if output.code == "denied" else f"failed: {_short(output.value)}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"
