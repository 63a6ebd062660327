"""Write a prompt stack as the body of a request for a message."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from agenthost_plugin_anthropic.blocks import text_block
from agenthost_plugin_anthropic.conversation import MessagesWriter
from agenthost_plugin_anthropic.options import Options
from agenthost_plugin_anthropic.schemas import are_too_many, guaranteed, input_schema
from agenthost_plugin_anthropic.written import Json, written
from agenthost_sdk.actions import ToolSpec
from agenthost_sdk.conversations import Conversations
from agenthost_sdk.messages import Message, PromptStack

# Of strict tools the API takes no more in one request.
_MOST_STRICT = 20

# What the model is told where no form of a schema can be guaranteed.
_RULE = (
    "Your final answer must be one JSON value that fits this JSON Schema, with nothing before or"
    " after it:\n{schema}"
)

_CACHE = b'{"type":"ephemeral"}'

Fields = dict[str, bytes]


class RequestWriter:
    """Writes the requests of one driver; what was written for the last ones is kept.

    Many threads may write at once.
    """

    def __init__(self) -> None:
        self._conversations = Conversations(MessagesWriter)
        self._forms = ToolForms()

    def request(self, stack: PromptStack, options: Options, *, stream: bool) -> bytes:
        """Return the body that puts the stack to the model.

        Args:
            stack: What to ask.
            options: What else the request says.
            stream: Whether the reply is to come as events.
        """
        writer = self._conversations.written(stack.messages)
        fields: Fields = {"model": written(options.model), "max_tokens": written(options.limit())}
        if stream:
            fields["stream"] = b"true"
        if stop := [text for text in stack.stop if text.strip()]:
            fields["stop_sequences"] = written(stop)
        fields |= _thinking(options, writer)
        fields |= self._tool_fields(stack, options, writer)
        system = [*writer.system(), *_answer_fields(stack, options, fields)]
        if system:
            fields["system"] = _array(system)
        if options.temperature is not None:
            fields["temperature"] = written(options.temperature)
        if options.cache:
            fields["cache_control"] = _CACHE
        fields["messages"] = _array(writer.finish())
        return _body(fields, options.extra)

    def _tool_fields(self, stack: PromptStack, options: Options, writer: MessagesWriter) -> Fields:
        tools = [*self._forms.of(stack.tools, options.strict)]
        if not tools and writer.called():
            # The API wants the tools of calls that stand in the messages.
            return {
                "tools": _array([_bare_tool(name) for name in writer.called()]),
                "tool_choice": b'{"type":"none"}',
            }
        tools += [written(dict(tool)) for tool in options.server_tools]
        if not tools:
            return {}
        fields = {"tools": _array(tools)}
        if (choice := _choice(stack, options)) is not None:
            fields["tool_choice"] = written(choice)
        return fields


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


class ToolForms:
    """The tools last offered, as they were written: a run offers the same ones every round."""

    def __init__(self) -> None:
        self._kept: tuple[tuple[ToolSpec, ...], bool, list[bytes]] = ((), False, [])

    def of(self, tools: tuple[ToolSpec, ...], strict: bool) -> list[bytes]:
        """Return the tools as the API takes them; do not change what is returned."""
        kept = self._kept  # read once, since other threads may put theirs in its place
        if kept[0] is not tools or kept[1] != strict:
            kept = self._kept = (tools, strict, [written(one) for one in _tools(tools, strict)])
        return kept[2]


def _tools(specs: Sequence[ToolSpec], strict: bool) -> list[Json]:
    forms = [guaranteed(spec.schema) if strict else None for spec in specs]
    found = [form for form in forms if form is not None]
    if len(found) > _MOST_STRICT or are_too_many(found):
        forms = [None] * len(forms)
    return [_tool(spec, form) for spec, form in zip(specs, forms, strict=True)]


def _tool(spec: ToolSpec, form: Json | None) -> Json:
    """Return an activity as a tool; in the strict form where it has one."""
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


def _answer_fields(stack: PromptStack, options: Options, fields: Fields) -> list[bytes]:
    """Add what the answer has to be to the fields; return what the system has to say of it."""
    config: Json = {} if options.effort is None else {"effort": options.effort}
    said: bytes | None = None
    if stack.output_schema is not None:
        form = guaranteed(stack.output_schema)
        if form is None:
            shown = json.dumps(input_schema(stack.output_schema), ensure_ascii=False)
            said = text_block(_RULE.format(schema=shown))
        else:
            config["format"] = {"type": "json_schema", "schema": form}
    if config:
        fields["output_config"] = written(config)
    return [] if said is None else [said]


def _body(fields: Fields, extra: Mapping[str, Any]) -> bytes:
    """Return the fields as one object; further ones win."""
    fields = fields | {name: written(value) for name, value in extra.items()}
    if "tools" not in fields:
        fields.pop("tool_choice", None)
    return b"{%b}" % b",".join([b"%b:%b" % (written(name), held) for name, held in fields.items()])


def _array(items: Sequence[bytes]) -> bytes:
    return b"[%b]" % b",".join(items)
