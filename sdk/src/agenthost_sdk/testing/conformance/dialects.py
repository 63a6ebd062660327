"""What the host expects of a dialect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import ClassVar

from agenthost_sdk.actions import Example, NativeNames, ToolAction, ToolSpec, native_name
from agenthost_sdk.artifacts import ErrorArtifact, ListArtifact, TextArtifact, error_text
from agenthost_sdk.dialects import BaseDialect, Offer, Reply
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    Message,
    TextMessageContent,
)
from agenthost_sdk.testing.conformance.declared import declared
from agenthost_sdk.testing.conformance.faults import none_of
from agenthost_sdk.testing.conformance.odd_replies import odd_replies


class DialectConformance:
    """Hold a dialect against what the host expects of one.

    Name the class, or write `make_dialect`. The table and the actions of the tests are the
    kit's own; write `actions` where the dialect can say less.
    """

    dialect: ClassVar[type[BaseDialect]]

    def make_dialect(self) -> BaseDialect:
        """Return the dialect to be tested; called for each test."""
        made: BaseDialect = declared(self, "dialect")()
        return made

    def actions(self) -> tuple[ToolAction, ...]:
        """Return actions over the kit's table that the dialect can say in one reply."""
        return (
            ToolAction("t1", "Clock", "now", {"zone": 'Europe/"Wien"\n[1]'}),
            ToolAction("t2", "my_tool", "do_it", {"parts": [{"é": None}], "depth": 1.5}),
            ToolAction("t3", "Clock", "now", {"zone": "UTC"}),
        )

    def test_the_dialect_is_named_and_described(self) -> None:
        """If it fails: set `name`, which `--dialect NAME` takes, and write a docstring."""
        dialect = self.make_dialect()

        assert dialect.name.isidentifier(), f"{dialect.name!r} is no name for a dialect."
        assert vars(type(dialect)).get("__doc__"), f"{type(dialect).__name__}: no docstring."

    def test_the_offer_of_a_table_is_always_the_same(self) -> None:
        """If it fails: make the offer from the table alone; a changing one voids the provider's
        cache of the prompt.
        """
        dialect, table = self.make_dialect(), kit_table()

        offer = dialect.offer(table)

        assert isinstance(offer, Offer), f"`offer` gave {offer!r:.80}, which is no Offer."
        assert offer == dialect.offer(kit_table()), "Two offers of one table differ."

    def test_every_activity_is_offered(self) -> None:
        """If it fails: put every spec of the table into `tools` (a native dialect), or its name
        and path into `system` (a text dialect).
        """
        dialect, table = self.make_dialect(), kit_table()
        offer = dialect.offer(table)

        none_of(
            f"{spec.native} is not offered."
            for spec in table.specs.values()
            if not _is_offered(spec, offer, dialect.native)
        )

    def test_no_tools_make_an_empty_offer(self) -> None:
        """If it fails: offer no tools and no stop texts where the table is empty."""
        offer = self.make_dialect().offer(NativeNames())

        assert offer.tools == (), f"The offer has tools: {offer.tools!r:.80}"
        assert offer.stop == (), f"The offer has stop texts: {offer.stop!r:.80}"

    def test_read_never_raises(self) -> None:
        """If it fails: whatever stands in a reply is the model's doing; give an action its
        `ErrorArtifact`, or the reply its `problem`.
        """
        dialect = self.make_dialect()

        for table in (kit_table(), NativeNames()):
            none_of(
                f"{str(message.content)[:120]}: {fault}"
                for message in odd_replies(table)
                for fault in _reading_faults(dialect, message, table)
            )

    def test_a_round_says_every_action_and_answers_it_once(self) -> None:
        """If it fails: `answer` gives an assistant's message with all actions, then the user's
        with one result for each; a provider refuses a call without its result.
        """
        dialect = self.make_dialect()
        reply = Reply("I shall look.", self.actions())

        said = dialect.answer(reply, _answered(reply.actions))

        none_of(_round_faults(said, dialect.native, range(len(reply.actions))))

    def test_a_round_reads_as_the_actions_it_was_made_of(self) -> None:
        """If it fails: `answer` shows the model another format than `read` takes and `offer`
        describes; it learns from what it is shown.
        """
        dialect, table = self.make_dialect(), kit_table()
        reply = Reply("I shall look.", self.actions())

        again = dialect.read(dialect.answer(reply, _answered(reply.actions))[0], table)

        asked = [_asked(action) for action in reply.actions]
        read = [_asked(action) for action in again.actions]
        assert read == asked, f"{asked}\nreads as\n{read}\n{again.problem or ''}"

    def test_the_closing_reply_reads_as_the_answer(self) -> None:
        """If it fails: `conclude` ends an example in another form than `read` takes."""
        dialect = self.make_dialect()

        reply = dialect.read(dialect.conclude("It is seven.", "I know."), kit_table())

        assert "It is seven." in str(reply.answer), f"It reads as {reply!r:.200}"

    def test_a_refusal_is_an_answer(self) -> None:
        """If it fails: what a model says when it refuses ends the run; asking again is in vain."""
        words = TextMessageContent("I cannot help with that.")
        message = Message("assistant", (words,), finish="refusal")

        reply = self.make_dialect().read(message, kit_table())

        assert reply.is_answer, f"It reads as {reply!r:.200}"

    def test_a_failed_action_is_answered_by_its_error(self) -> None:
        """If it fails: an action that failed has its `ErrorArtifact` for a result like others."""
        dialect = self.make_dialect()
        first, *rest = _answered(self.actions())
        actions = [first.with_output(ErrorArtifact("no such zone")), *rest]

        said = dialect.answer(Reply(actions=self.actions()), actions)

        assert "no such zone" in _words(said[1:]), _words(said[1:])
        none_of(_round_faults(said, dialect.native, range(1, len(actions))))

    def test_a_result_of_many_parts_is_one_result(self) -> None:
        """If it fails: a `ListArtifact` is one output; its parts belong to one action."""
        dialect = self.make_dialect()
        first, *rest = _answered(self.actions())
        parts = ListArtifact([TextArtifact("part one"), TextArtifact("part two")])

        actions = [first.with_output(parts), *rest]

        said = dialect.answer(Reply(actions=self.actions()), actions)

        assert "part one" in _words(said[1:]), _words(said[1:])
        assert "part two" in _words(said[1:]), _words(said[1:])
        none_of(_round_faults(said, dialect.native, range(1, len(actions))))


def kit_table() -> NativeNames:
    """Return the table that the tests of a dialect use."""
    zone = {"type": "string", "description": "An IANA zone."}
    parts = {"type": "array", "items": {"type": "object"}, "description": "What to do."}
    depth = {"type": "number", "description": "How deep."}
    example = Example("What time is it in Rome?", {"zone": "Europe/Rome"})
    now = _spec("Clock", "now", zone=zone)
    return NativeNames(
        [
            replace(now, examples=(example,)),
            _spec("my_tool", "do_it", parts=parts, depth=depth),
            _spec("Dice", "throw"),
        ]
    )


def _spec(name: str, path: str, **properties: object) -> ToolSpec:
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return ToolSpec(native_name(name, path), name, path, f"Use {name} to {path}.", schema)


def _is_offered(spec: ToolSpec, offer: Offer, native: bool) -> bool:
    if native:
        return spec in offer.tools
    return spec.native in offer.system or (
        spec.name in offer.system and (spec.path or "") in offer.system
    )


def _reading_faults(dialect: BaseDialect, message: Message, table: NativeNames) -> Iterator[str]:
    try:
        reply = dialect.read(message, table)
    except Exception as error:  # whatever it is, it is the fault that is looked for
        yield f"`read` raised {error_text(error)}"
    else:
        yield from _reply_faults(reply, table)


def _reply_faults(reply: Reply, table: NativeNames) -> Iterator[str]:
    tags = [action.tag for action in reply.actions]
    if len(set(tags)) < len(tags):
        yield f"the tags {tags} are not unique."
    if not (reply.actions or reply.problem or reply.is_answer):
        yield "neither actions nor an answer nor a problem was read."
    if bool(reply.actions) + reply.is_answer + (reply.problem is not None) > 1:
        yield "more than one of actions, answer and problem was read."
    for action in reply.actions:
        if not action.failed and action.native not in table.specs:
            yield f"{action} is no activity of the table and bears no error."


def _answered(actions: Sequence[ToolAction]) -> list[ToolAction]:
    return [
        action.with_output(TextArtifact(_result(number))) for number, action in enumerate(actions)
    ]


def _result(number: int) -> str:
    return f"result-{number}-of-the-kit"


def _asked(action: ToolAction) -> tuple[str, object]:
    return action.native, dict(action.input)


def _round_faults(said: Sequence[Message], native: bool, results: Iterable[int]) -> Iterator[str]:
    if [message.role for message in said[:2]] != ["assistant", "user"]:
        yield f"the roles are {[message.role for message in said]}."
    if not all(message.content for message in said):
        yield "a message has no content."
    for number in results:
        times = _words(said[1:]).count(_result(number))
        if times != 1:
            yield f"{_result(number)!r} stands {times} times behind the model's words."
    if native:
        yield from _pairing_faults(said)


def _pairing_faults(said: Sequence[Message]) -> Iterator[str]:
    called = [call.id for message in said for call in message.calls]
    blocks = [block for message in said[1:] for block in message.content]
    answered = [block.id for block in blocks if isinstance(block, ActionResultMessageContent)]
    if answered != called:
        yield f"the calls {called} are answered by {answered}."
    if any(isinstance(block, ActionCallMessageContent) for block in blocks):
        yield "a call stands in a message that is not the assistant's."


def _words(said: Sequence[Message]) -> str:
    return "\n".join(block.to_text() for message in said for block in message.content)
