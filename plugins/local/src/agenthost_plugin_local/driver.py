"""The driver that runs a model on this machine: no key, no open port, one thread."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agenthost_plugin_local import engine
from agenthost_plugin_local.asked import Asked
from agenthost_plugin_local.fetching import fetched, models_folder
from agenthost_plugin_local.guided import Guided
from agenthost_plugin_local.likeness import Likeness
from agenthost_plugin_local.models import MINILM, MODELS, SMOLLM2
from agenthost_plugin_local.narrowing import compact
from agenthost_sdk.drivers import BasePromptDriver, StructuredOutputStrategy
from agenthost_sdk.errors import DriverError
from agenthost_sdk.messages import DeltaMessage, Message, PromptStack

#: Tokens of a reply where nobody says otherwise; a small model seldom ends by itself.
_TOKENS = 256


@dataclass(kw_only=True, eq=False)
class LocalPromptDriver(BasePromptDriver):
    """Run a small language model in this process.

    Args:
        model: "smollm2", which is fetched once (177 MB with its companion); another name in
            `agenthost_plugin_local.models`; or the path of a GGUF file.
        threads: How many threads compute. More than the free cores make it slower.
    """

    provider = "local"
    rank = 900

    model: str = SMOLLM2.name
    use_native_tools: bool = True
    structured_output_strategy: StructuredOutputStrategy = "native"
    threads: int = 1

    def try_run(self, stack: PromptStack) -> Message:
        """Return the model's whole reply."""
        return Message.from_deltas(self.try_stream(stack))

    def try_stream(self, stack: PromptStack) -> Iterator[DeltaMessage]:
        """Yield the model's reply piece by piece."""
        yield from self._manner().reply(stack, self._request(stack))

    def _manner(self) -> Guided | Asked:
        path = self._path()
        if self.model != SMOLLM2.name:
            # The long list of tools and the answers each keep their own, so neither is read twice.
            return Asked(engine.load(path, threads=self.threads, slots=2))
        embedder = engine.load(fetched(MINILM), threads=self.threads, embedding=True)
        return Guided(engine.load(path, threads=self.threads), _likeness(embedder))

    def _path(self) -> Path:
        model = MODELS.get(self.model)
        if model:
            return fetched(model)
        if self.model.endswith(".gguf"):
            return Path(self.model).expanduser()
        raise DriverError(
            f"There is no local model named {self.model!r}."
            f" Known: {', '.join(MODELS)}; or give the path of a .gguf file.",
            provider="local",
        )

    def _request(self, stack: PromptStack) -> dict[str, Any]:
        """Return what the driver's settings and the stack say of the reply."""
        request: dict[str, Any] = {"max_tokens": self.max_tokens or _TOKENS, **self.extra_params}
        if self.temperature is not None:
            request["temperature"] = self.temperature
        if stack.stop:
            request["stop"] = list(stack.stop)
        if stack.output_schema is not None:
            schema = compact(stack.output_schema)
            request["response_format"] = {"type": "json_schema", "json_schema": {"schema": schema}}
        return request


def _likeness(embedder: engine.Engine) -> Likeness:
    """Return the one comparison of this process for an embedding model."""
    return _LIKENESS.setdefault(
        embedder.path, Likeness(embedder, models_folder() / f"{embedder.path.stem}.vectors")
    )


_LIKENESS: dict[Path, Likeness] = {}
