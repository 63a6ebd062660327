"""Make the classes of tests for a whole plugin: its own, and one for each thing it contributes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from importlib import metadata
from typing import Any
from unittest import SkipTest

from agenthost_sdk.artifacts import BaseArtifact, ErrorArtifact
from agenthost_sdk.errors import DefinitionError, ToolError
from agenthost_sdk.hook_reading import PLUGIN_FAILURES
from agenthost_sdk.testing.conformance import (
    ActionGuardConformance,
    DialectConformance,
    DriverConformance,
    DriversConfigConformance,
    EmbeddingDriverConformance,
    OutputValidatorConformance,
    PluginConformance,
    ToolConformance,
)
from agenthost_sdk.testing.plugins.contributions import Contribution, ToolOptions, make_tool
from agenthost_sdk.testing.plugins.found import normalized
from agenthost_sdk.tools import BaseTool
from agenthost_sdk.validators import BaseOutputValidator

#: The class for each kind of contribution, and the attribute that names what it tests.
_CLASSES: dict[str, tuple[type, str]] = {
    "prompt driver": (DriverConformance, "driver"),
    "embedding driver": (EmbeddingDriverConformance, "driver"),
    "drivers config": (DriversConfigConformance, "config"),
    "dialect": (DialectConformance, "dialect"),
}

#: The tests of a validator that need outputs; which are right and wrong only its author knows.
_OF_OUTPUTS = (
    "test_there_are_outputs_to_try",
    "test_what_is_right_is_accepted",
    "test_what_is_wrong_is_refused_with_a_reason",
    "test_what_it_puts_in_place_of_an_output_it_accepts_itself",
)


def conformance_of(
    plugin: str,
    *,
    tool_options: ToolOptions | None = None,
    distribution: str = "",
    time_limit: float = PluginConformance.time_limit,
) -> dict[str, type]:
    """Return the classes of tests for an installed plugin and all that it contributes, by name.

        from agenthost_sdk.testing import conformance_of

        globals().update(conformance_of("weather"))

    pytest collects them from the module. A plugin that cannot be imported has one class, whose
    tests say why. Outputs that a validator must accept and refuse are yours to give, in a
    subclass of `OutputValidatorConformance`.

    Args:
        plugin: The name of the entry point, or of the distribution where that has one.
        tool_options: What its tools are made with, by the name of a tool's class.
        distribution: The distribution, where two have an entry point of that name.
        time_limit: How many seconds importing it and asking its hooks may take.
    """
    options = tool_options or {}
    named = {"plugin": plugin, "distribution": distribution}
    limits = {"tool_options": options, "time_limit": time_limit}
    whole: Any = type("TestPlugin", (PluginConformance,), {**named, **limits})
    classes = {"TestPlugin": whole}
    for one in _of_contributions(whole(), options):
        classes[_unused(one.__name__, classes)] = one
    return classes


def subject_of(tests: type) -> str:
    """Return what a class of tests is about, such as "tool Weather"."""
    said = getattr(tests, "subject", "")
    return said or f"plugin {getattr(tests, 'plugin', '')}".strip()


def _of_contributions(whole: PluginConformance, options: ToolOptions) -> Iterator[type]:
    try:
        found, unset = whole.contributions(), whole.made_tools().unset
    except (SkipTest, AssertionError):  # the tests of the plugin itself say why
        return
    lacking = {line.partition(":")[0] for line in unset}
    for one in found.given:
        if f"tool {one.name}" in lacking and one.kind == "tool":
            continue
        base, attributes = _tested(one, options, whole.found().requires)
        if base is not None:
            parts = re.findall(r"[A-Za-z0-9]+", f"{one.kind} {one.name}")
            name = "".join(f"{part[0].upper()}{part[1:]}" for part in parts)
            yield type(f"Test{name}", (base,), {**attributes, "subject": f"{one.kind} {one.name}"})


def _unused(name: str, known: Collection[str]) -> str:
    numbered = (name, *(f"{name}{number}" for number in range(2, len(known) + 2)))
    return next(one for one in numbered if one not in known)


def _tested(
    one: Contribution, options: ToolOptions, requires: Sequence[str]
) -> tuple[type | None, dict[str, Any]]:
    """Return the class that tests a contribution, and what the subclass says."""
    if one.kind == "tool":
        made = {"make_tool": lambda _: _made_tool(one, options)}
        # With a person's options it works on their data, of which the examples know nothing.
        theirs = {"is_failure": lambda _, output: _is_crash(output)} if one.name in options else {}
        return ToolConformance, {**made, **theirs}
    if one.kind == "output validator":
        asked = {"make_validator": lambda _: _made_validator(one)}
        return OutputValidatorConformance, {**asked, **dict.fromkeys(_OF_OUTPUTS)}
    if one.kind == "action guard":
        return ActionGuardConformance, {"make_guard": lambda _: one.source()}
    base, attribute = _CLASSES.get(one.kind, (None, ""))
    attributes = {attribute: one.source}
    if base is DriverConformance or base is EmbeddingDriverConformance:
        attributes["provider_packages"] = _provider_packages(one.source.provider, requires)
    return base, attributes


def _provider_packages(provider: str, requires: Sequence[str]) -> tuple[str, ...]:
    """Return the packages of those dependencies that are called like a driver's provider."""
    names = (re.match(r"[\w.-]+", requirement) for requirement in requires)
    theirs = {
        normalized(name[0]) for name in names if name and provider and provider in name[0].lower()
    }
    if not theirs:
        return ()
    return tuple(
        package
        for package, owners in metadata.packages_distributions().items()
        if theirs & {*map(normalized, owners)} and package.isidentifier()
    )


def _is_crash(output: BaseArtifact) -> bool:
    return isinstance(output, ErrorArtifact) and not isinstance(output.exception, ToolError)


def _made_tool(one: Contribution, options: ToolOptions) -> BaseTool:
    try:
        return make_tool(one, options)
    except PLUGIN_FAILURES as error:
        raise SkipTest("It cannot be made.") from error


def _made_validator(one: Contribution) -> BaseOutputValidator:
    """Make a validator, with the parameters that it shows as an example where it takes some."""
    example = getattr(one.source, "example", "")
    try:
        made: BaseOutputValidator = one.source(example) if example else one.source()
    except TypeError as error:
        if example:
            raise
        raise DefinitionError(f"It takes parameters, and shows no `example`: {error}") from error
    assert isinstance(made, BaseOutputValidator), f"{made!r:.80} is no BaseOutputValidator."
    return made
