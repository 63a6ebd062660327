"""Turn texts into vectors by a server's `/embeddings`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from agenthost_plugin_openai.decode import UnreadableReply, listed
from agenthost_plugin_openai.endpoints import Connected, Endpoint
from agenthost_plugin_openai.failing import failures
from agenthost_plugin_openai.profiles import PROFILES
from agenthost_sdk.embeddings import BaseEmbeddingDriver
from agenthost_sdk.retrying import apersistently, persistently
from agenthost_sdk.wire import written

_PATH = "/embeddings"

_NO_VECTORS = (
    "The server answered, but not with vectors."
    " Check that base_url names a server that embeds, and that the model is one for it."
)


@dataclass(kw_only=True, eq=False)
class OpenAiEmbeddingDriver(Connected, BaseEmbeddingDriver):
    """Ask OpenAI for vectors, or a server that speaks its `/embeddings`.

    Address and key are found as `OpenAiChatPromptDriver` finds them, and a request that failed is
    tried again as it does.
    """

    provider = "openai"
    key_env = "OPENAI_API_KEY"
    #: What the field `profile` may say.
    profiles: ClassVar[tuple[str, ...]] = tuple(PROFILES)

    model: str = "text-embedding-3-small"
    #: How many numbers a vector has; the model's own number where None.
    dimensions: int | None = None
    #: Further fields of the request, which win.
    extra_params: Mapping[str, Any] = field(default_factory=dict)
    #: How often a request is tried in all, and how long is waited between.
    max_attempts: int = 2
    min_retry_delay: float = 2.0
    max_retry_delay: float = 60.0
    max_retry_seconds: float = 120.0
    ignored_exception_types: tuple[type[BaseException], ...] = (ImportError, ValueError)

    def try_embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return a vector for each text, in their order."""
        return persistently(self, lambda: self._embedded(texts))

    async def atry_embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Do what `try_embed` does, without blocking the event loop."""
        return await apersistently(self, lambda: self._aembedded(texts))

    def _embedded(self, texts: Sequence[str]) -> list[list[float]]:
        endpoint = self._endpoint()
        client = self._clients.blocking(endpoint)
        with failures(endpoint, self.title, self.model):
            from openai.types import CreateEmbeddingResponse

            body = self._body(texts)
            return vectors(client.post(_PATH, content=body, cast_to=CreateEmbeddingResponse))

    async def _aembedded(self, texts: Sequence[str]) -> list[list[float]]:
        endpoint = self._endpoint()
        client = await self._clients.on_running_loop(endpoint)
        with failures(endpoint, self.title, self.model):
            from openai.types import CreateEmbeddingResponse

            body = self._body(texts)
            reply = await client.post(_PATH, content=body, cast_to=CreateEmbeddingResponse)
            return vectors(reply)

    def _endpoint(self) -> Endpoint:
        return self.endpoint(self.key_name, self.title, self.model)

    def _body(self, texts: Sequence[str]) -> bytes:
        said = [text or " " for text in texts]  # an empty text is refused
        fields: dict[str, Any] = {"model": self.model, "input": said}
        if self.dimensions is not None:
            fields["dimensions"] = self.dimensions
        fields |= self.extra_params
        return written({name: value for name, value in fields.items() if value is not None})


def vectors(reply: Any) -> list[list[float]]:
    """Return the vectors in the order of the texts, which their numbers tell."""
    found = listed(getattr(reply, "data", None))
    if not found:
        raise UnreadableReply(_NO_VECTORS)
    numbers = [getattr(one, "index", None) for one in found]
    if sorted(map(str, numbers)) == sorted(map(str, range(len(found)))):
        found = sorted(found, key=lambda one: one.index)
    return [one.embedding for one in found]
