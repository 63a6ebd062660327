"""Write a conversation as the messages of a request, each message once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Self

from agenthost_plugin_anthropic.blocks import (
    block_of,
    failure_blocks,
    result_blocks,
    served_result,
    served_use,
    text_block,
)
from agenthost_plugin_anthropic.written import sound_object
from agenthost_sdk.actions import native_name
from agenthost_sdk.conversations import results_apart
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    BaseMessageContent,
    Message,
    ReasoningMessageContent,
    Role,
    TextMessageContent,
)
from agenthost_sdk.wire import written

#: What a call is answered with when the stack holds no result for it.
NO_RESULT = "No result of this call was recorded."

#: What the user says where a conversation would not begin with the user, as the API demands.
OPENING = "Begin."

_ILLEGAL = re.compile(r"[^a-zA-Z0-9_-]")

# The further fields of a call that the API knows; another provider's mean nothing to it.
_EXTRA = ("caller", "toolset_name")


class MessagesWriter:
    """Writes the messages of one conversation in the order that the API demands.

    User and assistant take turns, the user first; what one says in several messages is one turn.
    The results of a turn's calls open the user's next turn, one for each call: a call without a
    result gets one that says so, a result without a call is left out. Ids that are not legal, or
    used before, are replaced, for a call and its result alike. What the system says stands apart.
    A use of a tool that the provider runs itself is left out where the user speaks before its
    result; not in the last turn, nor in one with calls, which may still bring it.

    The last turn is kept back, since the next message may add to it.
    """

    def __init__(self) -> None:
        self._done: list[bytes] = []
        self._system: list[bytes] = []
        self._names: dict[str, None] = {}
        self._used: set[str] = set()
        self._turn = _Turn()
        self._calls: dict[str, _Call] = {}  # of the assistant's last turn, by the id as sent
        self._is_thoughtful = False  # whether that turn began with thoughts
        self._before: list[bytes] = []  # what the user said in the turn before that

    def copy(self) -> Self:
        """Return a writer that stands where this one does, and goes on by itself."""
        other = type(self)()
        other._done, other._system = self._done.copy(), self._system.copy()
        other._names, other._used = self._names.copy(), self._used.copy()
        other._turn, other._is_thoughtful = self._turn.copy(), self._is_thoughtful
        other._before = self._before
        other._calls = {sent: call.copy() for sent, call in self._calls.items()}
        return other

    def take(self, message: Message) -> None:
        """Write the next message, or keep it back until it is clear how it goes on."""
        if message.role != "assistant":
            self._take_heard(message)
            return
        for part in results_apart(message):
            if part.role == "assistant":
                self._take_assistant(part.content)
            else:
                self._take_heard(part)

    def system(self) -> list[bytes]:
        """Return the blocks of all that the system said."""
        return self._system

    def called(self) -> list[str]:
        """Return the names of the functions that were called, each once."""
        return list(self._names)

    def lacks_thoughts(self) -> bool:
        """Return whether the turn that goes on with results began without thoughts.

        The API then takes no budget for thoughts: it wants those that led to the calls back.
        """
        return bool(self._calls) and not self._is_thoughtful

    def finish(self) -> list[bytes]:
        """Return all messages, the turn that was kept back among them; nothing is to follow."""
        if self._turn.role == "assistant" and self._calls:
            self._open("user")
        self._close(is_last=True)
        return self._done or [_message("user", [_text(OPENING)])]

    def _take_heard(self, message: Message) -> None:
        for content in message.content:
            if isinstance(content, ActionResultMessageContent):
                if message.role == "user":
                    self._take_result(content)
            elif not isinstance(content, ActionCallMessageContent):
                self._take_said(message.role, content)

    def _take_said(self, role: Role, content: BaseMessageContent) -> None:
        block = block_of(role, content)
        if block is None:
            return
        if role == "system":
            self._system.append(block)
        else:
            self._add("user", block)

    def _take_assistant(self, said: Iterable[BaseMessageContent]) -> None:
        blocks = [(content, self._assistants(content)) for content in said]
        sent = [(content, block) for content, block in blocks if block is not None]
        while sent and isinstance(sent[-1][0], ReasoningMessageContent):
            sent.pop()  # the API takes no turn that ends in thoughts
        for content, block in sent:
            self._open("assistant")
            if not self._turn.blocks:
                self._is_thoughtful = isinstance(content, ReasoningMessageContent)
            if isinstance(content, ActionCallMessageContent):
                self._add("assistant", self._call(content))
            else:
                self._add_said(content, block)

    def _add_said(self, content: BaseMessageContent, block: bytes) -> None:
        turn = self._turn
        if id := served_use(content):
            turn.waiting[id] = len(turn.blocks)
        turn.waiting.pop(served_result(content), None)
        if isinstance(content, ReasoningMessageContent):
            turn.thoughts.append(len(turn.blocks))
        text = content.text if isinstance(content, TextMessageContent) else None
        self._add("assistant", block, text)

    def _assistants(self, content: BaseMessageContent) -> bytes | None:
        """Return a block of the assistant's; a call is written later, once its id is free."""
        if isinstance(content, ActionCallMessageContent):
            return b""
        return block_of("assistant", content)

    def _call(self, call: ActionCallMessageContent) -> bytes:
        sent, name = self._free_id(call.id), native_name(call.native, None)
        self._calls[sent] = _Call(call.id)
        self._names[name] = None
        return b'{"type":"tool_use","id":%b,"name":%b,"input":%b%b}' % (
            written(sent),
            written(name),
            sound_object(call.arguments or "{}"),
            _further(call),
        )

    def _free_id(self, wanted: str) -> str:
        legal = _ILLEGAL.sub("_", wanted) or "call"
        free, number = legal, 2
        while free in self._used:
            free, number = f"{legal}_{number}", number + 1
        self._used.add(free)
        return free

    def _take_result(self, result: ActionResultMessageContent) -> None:
        waiting = (
            (sent, call)
            for sent, call in self._calls.items()
            if call.id == result.id and call.result is None
        )
        found = next(waiting, None)
        if found is not None:
            self._open("user")
            sent, call = found
            blocks, shown = result_blocks(result.output), list[bytes]()
            if result.failed:
                blocks, shown = failure_blocks(result.output)
            call.result = _result(sent, blocks, result.failed)
            for block in shown:
                self._add("user", block)

    def _add(self, role: str, block: bytes, text: str | None = None) -> None:
        self._open(role)
        self._turn.blocks.append(block)
        self._turn.last_text = text

    def _open(self, role: str) -> None:
        """Let a role speak; the turn of the other is over."""
        if self._turn.role == role:
            return
        if self._turn.role == "assistant" and not self._calls:
            self._turn.leave_out_waiting()
        if self._turn.role == "assistant" and not self._turn.blocks:
            self._done.pop()
            self._turn = _Turn(role, self._before)
            return
        if self._turn.role:
            self._close()
        elif role == "assistant":
            self._done.append(_message("user", [_text(OPENING)]))
            self._before = []
        self._turn = _Turn(role)
        if role == "assistant":
            self._calls = {}

    def _close(self, *, is_last: bool = False) -> None:
        turn, results = self._turn, []
        if turn.role == "user":
            results = [call.result or _unanswered(sent) for sent, call in self._calls.items()]
            self._calls = {}
            self._before = [*results, *turn.blocks]
        elif is_last and turn.last_text is not None:
            turn.blocks[-1] = _text(turn.last_text.rstrip())
        if turn.role:
            self._done.append(_message(turn.role, [*results, *turn.blocks]))


class _Turn:
    """What one side says until the other speaks."""

    def __init__(self, role: str = "", blocks: Iterable[bytes] = ()) -> None:
        self.role = role
        self.blocks = list(blocks)
        #: The last block where it is a text, since that of the whole request is trimmed.
        self.last_text: str | None = None
        #: Where the uses of the provider's tools stand that have no result yet, by their ids.
        self.waiting: dict[str, int] = {}
        #: Where thoughts stand.
        self.thoughts: list[int] = []

    def copy(self) -> _Turn:
        other = _Turn(self.role, self.blocks)
        other.last_text = self.last_text
        other.waiting, other.thoughts = self.waiting.copy(), self.thoughts.copy()
        return other

    def leave_out_waiting(self) -> None:
        """Leave out what waits for a result that does not come, and thoughts before nothing."""
        if not self.waiting:
            return
        kept = [place for place in range(len(self.blocks)) if place not in self.waiting.values()]
        while kept and kept[-1] in self.thoughts:
            kept.pop()
        self.blocks = [self.blocks[place] for place in kept]
        self.waiting = {}


class _Call:
    """A call of the last turn: its id in the stack, and its result once there is one."""

    def __init__(self, id: str, result: bytes | None = None) -> None:
        self.id = id
        self.result = result

    def copy(self) -> _Call:
        return _Call(self.id, self.result)


def _message(role: str, blocks: list[bytes]) -> bytes:
    return b'{"role":"%b","content":[%b]}' % (role.encode(), b",".join(blocks))


def _text(text: str) -> bytes:
    return text_block(text) or text_block(OPENING) or b""


def _result(sent: str, blocks: list[bytes], failed: bool) -> bytes:
    return b'{"type":"tool_result","tool_use_id":%b,"content":[%b]%b}' % (
        written(sent),
        b",".join(blocks),
        b',"is_error":true' if failed else b"",
    )


def _unanswered(sent: str) -> bytes:
    return _result(sent, [_text(NO_RESULT)], failed=True)


def _further(call: ActionCallMessageContent) -> bytes:
    extra = call.extra or {}
    further = {name: extra[name] for name in _EXTRA if name in extra}
    return b"," + written(further)[1:-1] if further else b""
