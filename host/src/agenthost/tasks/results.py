"""Show the model the results of actions: within bounds, and with a way to read the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from agenthost_sdk.actions import ToolAction
from agenthost_sdk.activities import activity
from agenthost_sdk.artifacts import (
    AudioArtifact,
    BaseArtifact,
    ErrorArtifact,
    ImageArtifact,
    ImageUrlArtifact,
    ListArtifact,
    TextArtifact,
)
from agenthost_sdk.errors import DefinitionError, SettingsError, ToolError
from agenthost_sdk.tools import BaseTool

if TYPE_CHECKING:
    from agenthost.tasks.run import Run

_MEDIA = (AudioArtifact, ImageArtifact, ImageUrlArtifact)


class ReadResult(BaseTool):
    """Read on in the results of this run that were cut."""

    def __init__(self, run: Run) -> None:
        super().__init__(name="agenthost")
        self._run = run

    @activity(read_only=True)
    def read_result(self, handle: str, start: int = 0) -> str:
        """Read the part of a result that was left out.

        Args:
            handle: The result's handle, as the note in the cut result has it.
            start: The character to begin at, from 0.
        """
        whole = self._whole(handle)
        if not 0 <= start < len(whole):
            raise ToolError(f"start is {start}; the result {handle} has {len(whole)} characters.")
        room = self._run.setup.limits.max_output_chars - _NOTE_ROOM
        part = whole[start : start + room]
        left = len(whole) - start - len(part)
        if not left:
            return part
        return f"{part}\n[{left} characters follow; go on with start={start + len(part)}.]"

    def _whole(self, handle: str) -> str:
        wanted = f"r{handle.strip().removeprefix('r')}"
        for subtask in self._run.subtasks:
            for place, action in enumerate(subtask.actions if subtask.finished else (), 1):
                if wanted == _handle(subtask.number, place):
                    return action.output.to_text() if action.output else ""
        raise ToolError(f"No result has the handle {handle!r}.")


def _handle(number: int, place: int) -> str:
    """Return the handle of a result.

    Args:
        number: The number of its round, from 0.
        place: The place of its action in the round, from 1.
    """
    return f"r{number + 1}-{place}"


#: Room for the note behind a part that was read.
_NOTE_ROOM = 80


def in_words(actions: Sequence[ToolAction]) -> list[str]:
    """Return what each action came to, in words."""
    return [action.output.to_text() if action.output else "" for action in actions]


def shown(
    actions: Sequence[ToolAction], texts: Sequence[str], run: Run, number: int
) -> list[ToolAction]:
    """Return the actions with their results as the model is to see them.

    A result of more than `max_output_chars` is cut in the middle; from then on the run offers
    `agenthost_read_result`, which reads the rest.

    Args:
        actions: The actions of a round, each with its output.
        texts: The outputs in words.
        run: The run they belong to.
        number: The round's number, from 0.
    """
    most = run.setup.limits.max_output_chars
    return [
        action if len(text) <= most else _within(action, text, run, _handle(number, place))
        for place, (action, text) in enumerate(zip(actions, texts, strict=True), 1)
    ]


def with_media(words: TextArtifact, output: BaseArtifact | None) -> BaseArtifact:
    """Return words in the place of a result, and beside them its pictures and sounds."""
    media = list(_media(output))
    return ListArtifact([words, *media]) if media else words


def _media(output: BaseArtifact | None) -> Iterator[BaseArtifact]:
    if isinstance(output, _MEDIA):
        yield output
    elif isinstance(output, ListArtifact):
        for one in output.value:
            yield from _media(one)


def _within(action: ToolAction, text: str, run: Run, handle: str) -> ToolAction:
    most, output = run.setup.limits.max_output_chars, action.output
    if output is None or isinstance(output, _MEDIA):
        return action
    return action.with_output(_cut(output, text, most, handle if _offered(run) else ""))


def _cut(output: BaseArtifact, text: str, most: int, handle: str) -> BaseArtifact:
    room = max(most - 200, most // 2)  # the note counts too
    head, tail = room - room // 4, room // 4
    missing = len(text) - head - tail
    way = f" agenthost_read_result reads on: handle {handle!r}, start {head}." if handle else ""
    note = f"\n[{missing} of {len(text)} characters are left out here, from {head} on.{way}]\n"
    cut = text[:head] + note + text[len(text) - tail :]
    if isinstance(output, ErrorArtifact):
        return ErrorArtifact(cut, code=output.code, exception=output.exception)
    return with_media(TextArtifact(cut), output)


def _offered(run: Run) -> bool:
    """Put the reading tool on offer, where its names are free and the provider takes another."""
    names = {tool.name: tool for tool in run.toolbox.tools}
    if "agenthost" in names:
        return isinstance(names["agenthost"], ReadResult)
    try:
        run.add_tools(ReadResult(run))
    except (DefinitionError, SettingsError):
        return False
    return True
