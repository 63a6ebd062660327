"""Write a prompt stack as the body of a request for a chat completion."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from agenthost_plugin_openai import models
from agenthost_plugin_openai.conversation import Conversation
from agenthost_plugin_openai.profiles import Profile
from agenthost_plugin_openai.tools import WrittenForms
from agenthost_sdk.conversations import Conversations
from agenthost_sdk.messages import PromptStack
from agenthost_sdk.wire import joined, written

Json = dict[str, Any]

# What is refused where no tools are offered.
_OF_TOOLS = ("tool_choice", "parallel_tool_calls")


class Encoder:
    """Writes requests to one server for one model; what was sent before is not written again.

    Many threads may ask at once.

    Args:
        profile: What the server has of its own.
        model: The model that is asked.
        strict: Whether to send schemas in the strict form, where they have one.
    """

    def __init__(self, profile: Profile, model: str, strict: bool) -> None:
        self._profile = profile
        self._model = model
        self._forms = WrittenForms(strict)
        role = profile.system_role if models.takes_system(model) else "user"
        self._conversations = Conversations(partial(Conversation, profile, role))

    def request(
        self,
        stack: PromptStack,
        *,
        stream: bool,
        temperature: float | None = None,
        max_tokens: int | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Return the body of the request that puts the stack to the model, as JSON.

        Args:
            stack: What to ask.
            stream: Whether the reply is to come piece by piece, with its usage at the end.
            temperature: How freely the model chooses its words.
            max_tokens: How many tokens the reply may have.
            extra: Further fields, which win over what is written here, `stream` aside; one that
                is None leaves the field away.

        Raises:
            TypeError, ValueError: JSON has no word for one of the further fields.
        """
        wanted = dict(extra or {})
        wanted.pop("stream", None)
        fields = self._fields(stack, stream, temperature, max_tokens, wanted)
        for name, value in wanted.items():
            if value is None:
                fields.pop(name, None)
            else:
                fields[name] = written(value)
        if fields.get("tools", b"[]") == b"[]":
            for name in ("tools", *_OF_TOOLS):
                fields.pop(name, None)
        return joined(fields)

    def _fields(
        self,
        stack: PromptStack,
        stream: bool,
        temperature: float | None,
        max_tokens: int | None,
        wanted: Json,
    ) -> dict[str, bytes]:
        plain: Json = {"model": self._model}
        if temperature is not None:
            plain["temperature"] = temperature
        if max_tokens is not None:
            plain[self._profile.limit] = max_tokens
        if stream:
            plain["stream"] = True
            if self._profile.stream_usage:
                plain["stream_options"] = {"include_usage": True}
        if stops := self._stops(stack):
            plain["stop"] = stops
        if stack.tools:
            if stack.tool_choice != "auto":
                plain["tool_choice"] = stack.tool_choice
            if models.uses_tools_unreasoned(self._model):
                plain["reasoning_effort"] = "none"
        fields = {name: written(value) for name, value in plain.items()}
        if "messages" not in wanted:
            fields["messages"] = self._conversations.written(stack.messages).messages()
        if stack.output_schema is not None:
            fields["response_format"] = self._forms.response_format(stack.output_schema)
        if stack.tools:
            fields["tools"] = self._forms.tools(stack.tools)
        return fields

    def _stops(self, stack: PromptStack) -> list[str]:
        if not stack.stop or not models.takes_stop(self._model):
            return []
        return list(stack.stop[: self._profile.most_stops])
