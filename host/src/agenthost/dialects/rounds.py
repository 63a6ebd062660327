"""Show whole rounds as examples, made of the tools' own examples and said by the dialect."""

from __future__ import annotations

from collections.abc import Iterator

from agenthost_sdk.actions import Example, NativeNames, ToolAction, ToolSpec
from agenthost_sdk.artifacts import TextArtifact
from agenthost_sdk.dialects import BaseDialect, Reply
from agenthost_sdk.messages import Message, TextMessageContent

#: More would cost every request its tokens, and teach no more.
MOST_EXAMPLES = 2


def rounds(dialect: BaseDialect, table: NativeNames) -> Iterator[tuple[Message, ...]]:
    """Yield example rounds: the question, the reply, what came of it, the closing answer.

    They are made of the first activities that have an example, each of another tool where
    there are several, and said by the dialect's own `answer` and `conclude`.
    """
    for place, spec in enumerate(_shown(table), 1):
        # Among native calls the ids of all rounds must differ.
        tag = f"example_{place}" if dialect.native else "1"
        yield _round(dialect, spec, spec.examples[0], tag)


def example_rounds(dialect: BaseDialect, table: NativeNames) -> Iterator[str]:
    """Yield the same in words, for the system message of a text dialect."""
    for messages in rounds(dialect, table):
        asked, said, told, closed = (message.to_text() for message in messages)
        yield (
            f"An example, for the question {asked!r}. Your first reply:\n\n{said}\n\n"
            f"You are then given:\n\n{told}\n\nYour last reply:\n\n{closed}"
        )


def _shown(table: NativeNames) -> list[ToolSpec]:
    with_example = [spec for spec in table.specs.values() if spec.examples]
    by_tool = {spec.name: spec for spec in reversed(with_example)}
    of_each = [spec for spec in with_example if by_tool[spec.name] is spec]
    rest = [spec for spec in with_example if spec not in of_each]
    return [*of_each, *rest][:MOST_EXAMPLES]


def _round(
    dialect: BaseDialect, spec: ToolSpec, example: Example, tag: str
) -> tuple[Message, ...]:
    action = ToolAction(tag, spec.name, spec.path, example.input)
    came = action.with_output(TextArtifact(f"(what {spec.native} finds)"))
    said, told = dialect.answer(Reply(f"{spec.name} can tell."), [came])
    closing = dialect.conclude("(the answer, in words)", "I have what I need.")
    asked = Message("user", (TextMessageContent(example.question),))
    return asked, said, told, closing
