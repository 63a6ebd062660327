"""What the host expects of a driver, whatever it asks its provider for."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.embeddings import BaseEmbeddingDriver
from agenthost_sdk.testing.conformance.declared import declared

Driver = TypeVar("Driver", bound=BasePromptDriver | BaseEmbeddingDriver)


class AnyDriverConformance(Generic[Driver]):
    """Hold a driver against what the host expects of one; its provider is asked for nothing."""

    #: The class of the driver; the tests make objects of it.
    driver: ClassVar[type[Any]]
    #: What the driver is made with, as far as JSON has words for it.
    options: ClassVar[Mapping[str, Any]] = {}
    #: The packages that must not be imported before the first request, such as ("openai",).
    provider_packages: ClassVar[Sequence[str]] = ()

    def make_driver(self, **options: Any) -> Driver:
        """Return a driver with these options beside the class's own."""
        made: Driver = declared(self, "driver")(**{**self.options, **options})
        return made

    def test_the_driver_is_described(self) -> None:
        """If it fails: write a docstring that says whose models it asks, and what it needs."""
        driver: type = declared(self, "driver")
        written = vars(driver).get("__doc__") or ""
        # A dataclass without a docstring gets its signature for one.
        is_written = written and not written.startswith(f"{driver.__name__}(")

        assert is_written, f"{driver.__name__} has no docstring."

    def test_the_provider_has_a_name(self) -> None:
        """If it fails: set `provider` to lower-case letters, digits, "-" or "_"; a user writes
        it as `NAME:MODEL`.
        """
        provider: str = declared(self, "driver").provider

        assert re.fullmatch(r"[a-z][a-z0-9_-]*", provider), f"`provider` is {provider!r}."

    def test_the_model_has_a_default(self) -> None:
        """If it fails: give `model` a default, so that the driver's name is enough."""
        assert self.make_driver().model, "`model` is empty."

    def test_a_driver_equals_only_itself(self) -> None:
        """If it fails: say `eq=False` to the dataclass; the host keeps drivers in sets."""
        one, other = self.make_driver(), self.make_driver()

        assert one != other, "Two drivers that were made alike are equal."
        assert len({one, other}) == 2, "Two drivers that were made alike are one in a set."

    def test_making_it_imports_no_provider_package(self) -> None:
        """If it fails: import the provider's package, make the client and read the key in the
        method that asks the model, on first use. Name the packages in `provider_packages`.
        """
        driver: type = declared(self, "driver")
        imported = _imported_by(driver, self.options, self.provider_packages)

        assert imported == [], f"Making {driver.__name__} imports {', '.join(imported)}."


#: Makes a driver in an interpreter of its own and prints which packages that imported.
_MAKE = """\
import importlib, json, sys
given = json.load(sys.stdin)
sys.path[:] = given["path"]
found = importlib.import_module(given["module"])
for part in given["name"].split("."):
    found = getattr(found, part)
found(**given["options"])
print(json.dumps(sorted(set(given["packages"]) & set(sys.modules))))
"""


def _imported_by(driver: type, options: Mapping[str, Any], packages: Sequence[str]) -> list[str]:
    """Return which of the packages making a driver imports, in an interpreter of its own."""
    given = {
        "path": sys.path,
        "module": driver.__module__,
        "name": driver.__qualname__,
        "options": dict(options),
        "packages": list(packages),
    }
    done = subprocess.run(  # noqa: S603 - this very interpreter, with words of our own
        [sys.executable, "-c", _MAKE],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{driver.__name__} cannot be made alone:\n{done.stderr}"
    imported: list[str] = json.loads(done.stdout.splitlines()[-1])
    return imported
