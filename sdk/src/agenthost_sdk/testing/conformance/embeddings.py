"""What the host expects of an embedding driver."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from agenthost_sdk.embeddings import BaseEmbeddingDriver
from agenthost_sdk.testing.conformance.drivers import imported_by


class EmbeddingDriverConformance:
    """Hold an embedding driver against what the host expects of one; nothing is embedded."""

    driver: ClassVar[type[BaseEmbeddingDriver]]
    #: What the driver is made with, as far as JSON has words for it.
    options: ClassVar[Mapping[str, Any]] = {}
    #: The packages that must not be imported before the first request, such as ("openai",).
    provider_packages: ClassVar[Sequence[str]] = ()

    def make_driver(self, **options: Any) -> BaseEmbeddingDriver:
        """Return a driver with these options beside the class's own."""
        return self.driver(**{**self.options, **options})

    def test_the_driver_is_described(self) -> None:
        """If it fails: write a docstring that says whose model embeds, and what it needs."""
        written = vars(self.driver).get("__doc__") or ""

        assert written, f"{self.driver.__name__} has no docstring."
        # A dataclass without a docstring gets its signature for one.
        assert not written.startswith(f"{self.driver.__name__}("), written

    def test_the_provider_has_a_name(self) -> None:
        """If it fails: set `provider` to lower-case letters, digits, "-" or "_"."""
        assert re.fullmatch(r"[a-z][a-z0-9_-]*", self.driver.provider), self.driver.provider

    def test_the_model_and_the_size_of_a_batch_are_fields_with_defaults(self) -> None:
        """If it fails: decorate the class with `@dataclass(kw_only=True, eq=False)`, give
        `model` a default, and write no `__init__` that drops what the base class takes.
        """
        assert self.make_driver().model
        assert self.make_driver(batch_size=3).batch_size == 3

    def test_a_driver_equals_only_itself(self) -> None:
        """If it fails: say `eq=False` to the dataclass."""
        one, other = self.make_driver(), self.make_driver()

        assert one != other
        assert len({one, other}) == 2

    def test_making_it_imports_no_provider_package(self) -> None:
        """If it fails: import the provider's package, make the client and read the key in
        `try_embed`, on first use. Name the packages in `provider_packages`.
        """
        imported = imported_by(self.driver, self.options, self.provider_packages)

        assert imported == [], f"Making {self.driver.__name__} imports {', '.join(imported)}."
