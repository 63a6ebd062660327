"""What the host expects of an embedding driver."""

from __future__ import annotations

from typing import ClassVar

from agenthost_sdk.embeddings import BaseEmbeddingDriver
from agenthost_sdk.testing.conformance.any_driver import AnyDriverConformance


class EmbeddingDriverConformance(AnyDriverConformance[BaseEmbeddingDriver]):
    """Hold an embedding driver against what the host expects of one; nothing is embedded."""

    driver: ClassVar[type[BaseEmbeddingDriver]]

    def test_the_size_of_a_batch_is_a_field(self) -> None:
        """If it fails: decorate the class with `@dataclass(kw_only=True, eq=False)`, and write
        no `__init__` that drops what the base class takes.
        """
        size = self.make_driver(batch_size=3).batch_size

        assert size == 3, f"batch_size is {size!r}; it was given 3."
