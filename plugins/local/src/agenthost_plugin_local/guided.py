"""Answer with a model too small to choose tools by itself: it is guided by their examples.

An embedding model chooses the activity, its examples show how to fill the input, and the small
model does what is left: fields that cannot be copied, the sentence of the answer, plain talk.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from agenthost_plugin_local import answers, conversation, replies
from agenthost_plugin_local.engine import Engine
from agenthost_plugin_local.inputs import write_input
from agenthost_plugin_local.likeness import Likeness
from agenthost_plugin_local.routing import route
from agenthost_sdk.actions import ToolSpec
from agenthost_sdk.errors import DriverError
from agenthost_sdk.messages import ActionResultMessageContent, DeltaMessage, PromptStack, Usage

_RULES = "You are a helpful assistant. Answer in one or two short sentences."
_SENTENCE_TOKENS = 60
_NO_TEXT_TOOLS = (
    "this model is too small to ask for actions in text. Take the dialect native (without"
    " --dialect and --text-tools), or a bigger model: -m local:PATH.gguf, or a provider's."
)
#: So many activities are tried until one is found whose input can be filled.
_TRIES = 2


@dataclass(frozen=True)
class Guided:
    """The manner of answering for a very small model."""

    engine: Engine
    likeness: Likeness

    def reply(self, stack: PromptStack, request: Mapping[str, Any]) -> Iterator[DeltaMessage]:
        """Yield the reply: the answer to results, a call, or plain talk.

        Raises:
            DriverError: The stack asks for actions in text, which the model cannot write.
        """
        if stack.stop:
            raise DriverError(_NO_TEXT_TOOLS, provider="local")
        results = conversation.results(stack)
        if results and stack.output_schema is None:
            return self._answer(stack, results)
        for spec in self._choices(stack) if not results else ():
            question = conversation.question(stack)
            written = write_input(spec, question, self.likeness, self._write)
            if set(spec.schema.get("required", ())) <= set(written.value):
                return replies.call(spec.native, written.value, written.usage)
        return self._talk(stack, request)

    def _choices(self, stack: PromptStack) -> list[ToolSpec]:
        """Return the activities to try, the best first; none where plain talk fits better."""
        if not stack.tools or stack.tool_choice == "none":
            return []
        routes = route(conversation.question(stack), stack.tools, self.likeness)[:_TRIES]
        if stack.tool_choice != "required":
            routes = list(takewhile(lambda each: each.spec is not None, routes))
        return [each.spec for each in routes if each.spec]

    def _write(self, prompt: str, schema: Mapping[str, Any], tokens: int) -> tuple[str, Usage]:
        pieces = self.engine.complete(prompt, json_schema=dict(schema), max_tokens=tokens)
        return replies.joined(pieces)

    def _answer(
        self, stack: PromptStack, results: list[ActionResultMessageContent]
    ) -> Iterator[DeltaMessage]:
        question = conversation.question(stack)
        sentences, total = [], Usage(0, 0)
        for result in results:
            sentence, usage = self._sentence(question, result)
            sentences.append(sentence)
            total = total + usage
        return replies.said("\n".join(sentences), total)

    def _sentence(self, question: str, result: ActionResultMessageContent) -> tuple[str, Usage]:
        if result.failed:
            return answers.failure(result.output), Usage(0, 0)
        text = answers.plain_result(result.output, question)
        if not answers.needs_sentence(text):
            return answers.plain(text), Usage(0, 0)
        pieces = self.engine.complete(
            answers.prompt(question, text), stop=["\n"], max_tokens=_SENTENCE_TOKENS
        )
        sentence, usage = replies.joined(pieces)
        return answers.checked(sentence, question, text), usage

    def _talk(self, stack: PromptStack, request: Mapping[str, Any]) -> Iterator[DeltaMessage]:
        return replies.streamed(self.engine.chat(conversation.as_chat(stack, _RULES), **request))
