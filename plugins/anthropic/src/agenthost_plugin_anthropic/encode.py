"""Write a prompt stack as the body of a request for a message."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from agenthost_plugin_anthropic.conversation import MessagesWriter
from agenthost_plugin_anthropic.options import Options
from agenthost_plugin_anthropic.schemas import are_too_many, guaranteed, input_schema
from agenthost_plugin_anthropic.written import Json
from agenthost_sdk.actions import ToolSpec
from agenthost_sdk.conversations import Conversations
from agenthost_sdk.messages import Message, PromptStack
from agenthost_sdk.wire import written

# Of strict tools the API takes no more in one request.
_MOST_STRICT = 20

# What the model is told where no form of a schema can be guaranteed.
_RULE = (
    "Your final answer must be one JSON value that fits this JSON Schema, with nothing before or"
    " after it:\n{schema}"
)

Fields = dict[str, bytes]
Specs = tuple[ToolSpec, ...]

K = TypeVar("K")
V = TypeVar("V")


class RequestWriter:
    """Writes the requests of one driver; what was written for the last ones is kept.

    Many threads may write at once.
    """

    def __init__(self) -> None:
        self._conversations = Conversations(MessagesWriter)
        self._lax_tools: Kept[Specs, list[bytes]] = Kept(_lax_tools)
        self._strict_tools: Kept[Specs, list[bytes]] = Kept(_strict_tools)
        self._answers: Kept[Mapping[str, Any], Answer] = Kept(_answer)

    def request(self, stack: PromptStack, options: Options, *, stream: bool) -> bytes:
        """Return the body that puts the stack to the model.

        Args:
            stack: What to ask.
            options: What else the request says.
            stream: Whether the reply is to come as events.

        Raises:
            TypeError, ValueError, RecursionError: JSON has no word for some part of the options.
        """
        writer = self._conversations.written(stack.messages)
        answer = _ANY if stack.output_schema is None else self._answers.of(stack.output_schema)
        fields: Fields = {"model": written(options.model), "max_tokens": written(options.limit())}
        if stream:
            fields["stream"] = b"true"
        if stop := [text for text in stack.stop if text.strip()]:
            fields["stop_sequences"] = written(stop)
        if options.temperature is not None:
            fields["temperature"] = written(options.temperature)
        fields |= _thinking(options, writer) | _output_config(options, answer)
        fields |= self._tool_fields(stack, options, writer)
        if options.cache:
            fields["cache_control"] = b'{"type":"ephemeral"}'
        if system := [*writer.system(), *answer.rule]:
            fields["system"] = _array(system)
        fields["messages"] = _array(writer.finish())
        return _body(fields, options.extra)

    def _tool_fields(self, stack: PromptStack, options: Options, writer: MessagesWriter) -> Fields:
        kept = self._strict_tools if options.strict else self._lax_tools
        tools = [*kept.of(stack.tools), *[written(dict(one)) for one in options.server_tools]]
        choice = _choice(stack, options)
        if not tools:  # the API wants the tools of calls that stand in the messages
            tools = [_bare_tool(name) for name in writer.called()]
            choice = {"type": "none"}
        if not tools:
            return {}
        chosen = {} if choice is None else {"tool_choice": written(choice)}
        return {"tools": _array(tools), **chosen}


def count_request(messages: Sequence[Message], model: str) -> bytes:
    """Return the body that asks how many tokens the messages have."""
    writer = MessagesWriter()
    for message in messages:
        writer.take(message)
    fields: Fields = {"model": written(model)}
    if writer.system():
        fields["system"] = _array(writer.system())
    fields["messages"] = _array(writer.finish())
    return _body(fields, {})


class Kept(Generic[K, V]):
    """What was made of the last key that was given: in a run it is the very same every round."""

    def __init__(self, make: Callable[[K], V]) -> None:
        self._make = make
        self._last: tuple[K, V] | None = None

    def of(self, key: K) -> V:
        """Return what is made of the key; do not change it."""
        last = self._last  # read once, since other threads may put theirs in its place
        if last is None or last[0] is not key:
            last = self._last = (key, self._make(key))
        return last[1]


@dataclass(frozen=True)
class Answer:
    """What the answer has to be: a form that the API guarantees, else a rule for the model."""

    form: bytes | None = None
    rule: tuple[bytes, ...] = ()


_ANY = Answer()


def _answer(schema: Mapping[str, Any]) -> Answer:
    form = guaranteed(schema)
    if form is not None:
        return Answer(form=written({"type": "json_schema", "schema": form}))
    rule = _RULE.format(schema=json.dumps(input_schema(schema), ensure_ascii=False))
    return Answer(rule=(written({"type": "text", "text": rule}),))


def _lax_tools(specs: Specs) -> list[bytes]:
    return [written(_tool(spec)) for spec in specs]


def _strict_tools(specs: Specs) -> list[bytes]:
    """Return the tools in the strict form where they have one, if the API takes so many."""
    forms = [guaranteed(spec.schema) for spec in specs]
    found = [form for form in forms if form is not None]
    if len(found) > _MOST_STRICT or are_too_many(found):
        return _lax_tools(specs)
    return [written(_tool(spec, form)) for spec, form in zip(specs, forms, strict=True)]


def _tool(spec: ToolSpec, form: Json | None = None) -> Json:
    """Return an activity as a tool, with the form of its schema that the API guarantees."""
    tool: Json = {"name": spec.native}
    if spec.description:
        tool["description"] = spec.description
    if form is None:
        return tool | {"input_schema": input_schema(spec.schema)}
    return tool | {"input_schema": form, "strict": True}


def _bare_tool(name: str) -> bytes:
    return written({"name": name, "input_schema": {"type": "object"}})


def _choice(stack: PromptStack, options: Options) -> Json | None:
    if stack.tool_choice == "none":
        return {"type": "none"}
    # A model that thinks on a budget cannot be made to call.
    forced = stack.tool_choice == "required" and not options.has_budget
    if not forced and options.parallel_tool_use:
        return None
    choice: Json = {"type": "any" if forced else "auto"}
    return choice if options.parallel_tool_use else choice | {"disable_parallel_tool_use": True}


def _thinking(options: Options, writer: MessagesWriter) -> Fields:
    form = options.thinking_field()
    if form is None or (options.has_budget and writer.lacks_thoughts()):
        return {}
    return {"thinking": written(form)}


def _output_config(options: Options, answer: Answer) -> Fields:
    config = {} if options.effort is None else {"effort": written(options.effort)}
    if answer.form is not None:
        config["format"] = answer.form
    return {"output_config": _object(config)} if config else {}


def _body(fields: Fields, extra: Mapping[str, Any]) -> bytes:
    """Return the fields as one object; further ones win, and None leaves a field away."""
    fields = fields | {name: written(value) for name, value in extra.items()}
    left = {name: held for name, held in fields.items() if extra.get(name, held) is not None}
    if "tools" not in left:
        left.pop("tool_choice", None)
    return _object(left)


def _object(fields: Fields) -> bytes:
    return b"{%b}" % b",".join([b"%b:%b" % (written(name), held) for name, held in fields.items()])


def _array(items: Sequence[bytes]) -> bytes:
    return b"[%b]" % b",".join(items)
