"""Remember the steps of all runs, and recall those that are nearest to the question."""

from __future__ import annotations

import logging
import threading
from array import array
from collections.abc import Sequence

from agenthost.memory.base import BaseMemory, RememberedRun, checked
from agenthost.memory.conversation import ConversationMemory
from agenthost.requests import Embed, Steps, ask
from agenthost_sdk.artifacts import BaseArtifact, error_text
from agenthost_sdk.errors import SettingsError
from agenthost_sdk.messages import Message, note
from agenthost_sdk.vector_stores import nearest, unit

_log = logging.getLogger("agenthost")


class RelevantStepMemory(BaseMemory):
    """The last runs word for word, and those earlier steps that are like the question.

    A step is an action with the thought before it and what came of it; a question and its answer
    are one too. Each is embedded once, by the task's embedding driver, when a run recalls. Where
    the provider of the vectors fails, the last runs are recalled alone.

        agent = Agent(memory=RelevantStepMemory(), embedding_driver=LocalEmbeddingDriver())

    One memory needs one embedding driver: vectors of different models cannot be compared.

    Args:
        most: So many steps are recalled.
        keep_last: So many of the last runs are recalled word for word.
        failures: Remember runs that failed too, with their steps.
        max_chars: So many characters are kept of a thought, an input, an observation, a question
            or an answer; the rest of it is neither embedded nor recalled as a step.

    Raises:
        SettingsError: A number is no whole number of at least 1.
    """

    needs_embeddings = True

    def __init__(
        self,
        most: int = 5,
        keep_last: int = 2,
        *,
        failures: bool = False,
        max_chars: int = 1_000,
    ) -> None:
        self.most = checked("most", most)
        self.max_chars = checked("max_chars", max_chars)
        self.failures = failures
        self._recent = ConversationMemory(checked("keep_last", keep_last), failures=failures)
        #: Each step's text, oldest first, with its vector once it has one.
        self._steps: dict[str, array[float] | None] = {}
        self._lock = threading.Lock()

    def add(self, run: RememberedRun) -> None:
        """Remember one run and its steps."""
        if run.failed and not self.failures:
            return
        texts = [*(step.to_text(self.max_chars) for step in run.steps), self._words(run)]
        with self._lock:
            self._recent.add(run)
            for text in texts:
                # One that is there already is the newest now, and keeps its vector.
                self._steps[text] = self._steps.pop(text, None)

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._recent.clear()
            self._steps.clear()

    def recall(self, question: BaseArtifact) -> Steps[list[Message]]:
        """Return the steps that are nearest to the question, in one message, and the last runs.

        Raises:
            SettingsError: The task has no embedding driver.
        """
        steps = yield from self._nearest(question.to_text())
        return [*([_said(steps)] if steps else []), *self._recent.messages()]

    def _nearest(self, question: str) -> Steps[list[str]]:
        texts = self._candidates()
        if not texts or not question.strip():
            return []
        asked = yield from self._embed(texts, question)
        if asked is None:
            return []
        with self._lock:
            vectors = {text: self._steps.get(text) for text in texts}
        known = {
            text: vector
            for text, vector in vectors.items()
            if vector is not None and len(vector) == len(asked)
        }
        best = {text for text, _ in nearest(known, asked, self.most)}
        return [text for text in known if text in best]

    def _candidates(self) -> list[str]:
        """Return the texts that may be recalled: all but those of runs that are shown anyway."""
        with self._lock:
            shown = {self._words(one.run) for one in self._recent.kept()}
            return [text for text in self._steps if text not in shown]

    def _words(self, run: RememberedRun) -> str:
        return run.to_text(self.max_chars)

    def _embed(self, texts: Sequence[str], question: str) -> Steps[array[float] | None]:
        """Give each text its vector, and return the question's; None where there are none."""
        missing = [text for text in texts if self._steps.get(text) is None]
        try:
            *found, asked = yield from ask(Embed([*missing, question]))
        except SettingsError:
            raise
        except Exception as error:  # a run is worth more than its memories
            _log.warning("No earlier steps are recalled: %s", error_text(error))
            return None
        with self._lock:
            for text, vector in zip(missing, found, strict=True):
                if text in self._steps:
                    self._steps[text] = unit(vector)
        return unit(asked)


def _said(steps: Sequence[str]) -> Message:
    return note("\n\n".join(("Earlier steps that may matter:", *steps)))
