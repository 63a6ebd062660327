"""What the package exports, and what an import of it costs."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys

import pytest

import agenthost_sdk
from agenthost_sdk import testing


def loaded_by(statement: str) -> set[str]:
    """Return the modules that a fresh interpreter has loaded after a statement."""
    code = f"{statement}\nimport sys\nprint('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def imported_for_types(module: object) -> set[str]:
    """Return the names that a lazy package imports for type checkers."""
    tree = ast.parse(inspect.getsource(module))  # type: ignore[arg-type]
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    return {
        alias.asname or alias.name
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


@pytest.mark.parametrize("package", [agenthost_sdk, testing], ids=["sdk", "testing"])
def test_every_exported_name_can_be_read_and_checked(package: object) -> None:
    names: list[str] = vars(package)["__all__"]

    assert sorted(names) == sorted(imported_for_types(package))
    assert sorted(names) == dir(package)
    assert all(getattr(package, name) is not None for name in names)


@pytest.mark.parametrize("package", [agenthost_sdk, testing], ids=["sdk", "testing"])
def test_an_unknown_name_is_no_attribute(package: object) -> None:
    with pytest.raises(AttributeError, match="has no attribute 'no_such_name'"):
        _ = package.no_such_name  # type: ignore[attr-defined]


def test_importing_the_package_loads_nothing_else_of_ours_or_of_others() -> None:
    loaded = loaded_by("import agenthost_sdk")

    assert {name for name in loaded if name.startswith("agenthost_sdk")} == {"agenthost_sdk"}
    assert not loaded & {"pydantic", "pluggy", "jsonschema", "jsonschema_rs", "schema"}


def test_importing_the_marker_loads_pluggy_alone() -> None:
    loaded = loaded_by("from agenthost_sdk import hookimpl")

    assert "pluggy" in loaded
    assert not loaded & {"pydantic", "jsonschema", "jsonschema_rs", "schema"}


@pytest.mark.parametrize(
    "names",
    ["TextArtifact, to_artifact", "BasePromptDriver, Message, PromptStack", "BaseOutputValidator"],
)
def test_a_driver_or_validator_pays_for_no_schema_library(names: str) -> None:
    loaded = loaded_by(f"from agenthost_sdk import {names}")

    assert not loaded & {"pydantic", "jsonschema", "jsonschema_rs", "schema", "docstring_parser"}


def test_a_scripted_driver_needs_no_pytest_and_the_kit_no_host() -> None:
    driver = loaded_by("from agenthost_sdk.testing import ScriptedDriver, calls")
    kit = loaded_by("from agenthost_sdk.testing import ToolConformance, DialectConformance")

    assert "pytest" not in driver
    assert "agenthost" not in driver | kit
