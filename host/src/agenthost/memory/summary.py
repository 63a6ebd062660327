"""Remember the last runs word for word, and a summary of those before them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence

from agenthost.memory.base import BaseMemory, RememberedRun, checked
from agenthost.memory.conversation import ConversationMemory, KeptRun, first_that_fits
from agenthost.memory.summaries import WORDS, summary_in, summary_stack
from agenthost.requests import Prompt, Steps, ask
from agenthost_sdk.artifacts import BaseArtifact, error_text
from agenthost_sdk.messages import Message, PromptStack, note

_log = logging.getLogger("agenthost")


class SummaryMemory(BaseMemory):
    """The last runs word for word, and one summary of those before them, written by the model.

    The summary is written when a run recalls, in a prompt of its own (the step "summarise");
    what was summarised before goes into it and is not read again. A summary that cannot be had
    costs nothing: the runs stay as they are, and the next run tries again.

        agent = Agent(memory=SummaryMemory(keep=2, max_tokens=2_000))

    Args:
        keep: So many of the last runs are never summarised.
        max_tokens: Summarise only once the runs that are kept word for word have more tokens
            than that; without it, as soon as there are more than `keep`.
        failures: Remember runs that failed too, as a note of how they failed.
        words: What the model is told of how to summarise.

    Raises:
        SettingsError: A number is no whole number of at least 1.
    """

    def __init__(
        self,
        keep: int = 4,
        max_tokens: int | None = None,
        *,
        failures: bool = False,
        words: str = WORDS,
    ) -> None:
        self.keep = checked("keep", keep)
        self.max_tokens = checked("max_tokens", max_tokens)
        self.words = words
        self._recent = ConversationMemory(failures=failures)
        self._summary = ""
        self._cleared = 0
        self._lock = threading.Lock()
        self._turn = threading.Lock()

    @property
    def summary(self) -> str:
        """The summary so far; "" where there is none yet."""
        return self._summary

    def add(self, run: RememberedRun) -> None:
        """Remember one run."""
        self._recent.add(run)

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._cleared += 1
            self._summary = ""
            self._recent.clear()

    def recall(self, question: BaseArtifact) -> Steps[list[Message]]:  # noqa: ARG002 - all of it
        """Summarise what is to be summarised, and return the summary and the last runs."""
        # Only one of several runs at once summarises; the others show what there is.
        if self._turn.acquire(blocking=False):
            try:
                yield from self._summarise()
            finally:
                self._turn.release()
        return self.messages()

    def messages(self) -> list[Message]:
        """Return what is remembered now: the summary, then the runs that are not in it."""
        with self._lock:
            said = [_said(self._summary)] if self._summary else []
            return [*said, *self._recent.messages()]

    def _summarise(self) -> Steps[None]:
        as_of = self._cleared
        surplus = yield from self._surplus()
        if not surplus:
            return
        summary = yield from self._asked_for(surplus)
        with self._lock:
            if summary and as_of == self._cleared:
                self._summary = summary
                self._recent.forget(surplus)

    def _surplus(self) -> Steps[list[KeptRun]]:
        """Return the runs that are to be summarised now."""
        kept = self._recent.kept()
        surplus = kept[: -self.keep]
        if not surplus or self.max_tokens is None:
            return surplus
        all_fit = (yield from first_that_fits(kept, self.max_tokens)) == 0
        return [] if all_fit else surplus

    def _asked_for(self, surplus: Sequence[KeptRun]) -> Steps[str]:
        """Return the new summary; "" where it cannot be had."""
        try:
            reply = yield from ask(Prompt(self._stack(surplus), "summarise"))
        except Exception as error:  # a run is worth more than the summary of those before it
            _log.warning("No summary of earlier runs, which stay whole: %s", error_text(error))
            return ""
        summary = summary_in(reply)
        if not summary:
            _log.warning("No summary of earlier runs, which stay whole: the reply holds none.")
        return summary

    def _stack(self, surplus: Sequence[KeptRun]) -> PromptStack:
        record = "\n\n".join(one.run.to_text() for one in surplus)
        return summary_stack(record, self._summary, self.words)


def _said(summary: str) -> Message:
    return note(f"Summary of our conversation so far: {summary}")
