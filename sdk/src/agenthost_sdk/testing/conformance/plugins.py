"""What the host expects of a plugin as a whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from importlib import metadata
from typing import TYPE_CHECKING, Any, ClassVar
from unittest import SkipTest

from agenthost_sdk.errors import shortened
from agenthost_sdk.hook_reading import PLUGIN_FAILURES, import_words, no_hook_words
from agenthost_sdk.testing.conformance.declared import declared
from agenthost_sdk.testing.conformance.faults import all_seen, none_of, note
from agenthost_sdk.testing.plugins.contributions import (
    Contributions,
    MadeTools,
    is_described,
    made_tools,
    names_of,
    read_contributions,
)
from agenthost_sdk.testing.plugins.executors import executor_faults
from agenthost_sdk.testing.plugins.found import (
    FoundPlugin,
    matching,
    normalized,
    not_found_words,
)
from agenthost_sdk.testing.plugins.imports import ImportReport, watch_import

if TYPE_CHECKING:
    from packaging.requirements import Requirement
    from packaging.specifiers import SpecifierSet

#: The distribution that a plugin says its version range of.
SDK = "agenthost-sdk"

#: The package of the host, which may be another one or none where a plugin is used.
HOST = "agenthost"


class PluginConformance:
    """Hold an installed plugin against what the host expects of one.

        from agenthost_sdk.testing import PluginConformance

        class TestPlugin(PluginConformance):
            plugin = "weather"

    It is imported in an interpreter of its own, whose doings are watched; then in this one. What
    it contributes has classes of its own, which `conformance_of("weather")` makes.
    """

    #: The name of the entry point, or of the distribution where that has one.
    plugin: ClassVar[str]
    #: The distribution, where two have an entry point of that name.
    distribution: ClassVar[str] = ""
    #: What its tools are made with, by the name of a tool's class, as in the settings.
    tool_options: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    #: How many seconds importing it and asking its hooks may take.
    time_limit: ClassVar[float] = 60.0

    def test_it_is_found_by_its_entry_point(self) -> None:
        """If it fails: name the module under `[project.entry-points.agenthost]` in
        pyproject.toml, and install the project again; an editable install too.
        """
        named: str = declared(self, "plugin")
        found = matching(named, self.distribution)

        assert found, not_found_words(named)
        assert len(found) == 1, (
            f"{named!r} are {len(found)} plugins:"
            f" {', '.join(f'{one.name} of {one.distribution}' for one in found)}."
            " Set `plugin` to one name, and `distribution` where that does not suffice."
        )

    def test_it_says_which_versions_of_the_sdk_it_works_with(self) -> None:
        """If it fails: write `agenthost-sdk>=A,<B` into the dependencies in pyproject.toml: A
        the version that it was written for, B the next one that may break it.
        """
        found = self.found()
        stated = list(_requirements_of_sdk(found.requires))
        assert stated, f"{found.distribution} requires no {SDK}."
        present = metadata.version(SDK)

        none_of(
            f"It requires {one}, and this is {SDK} {present}."
            for one in stated
            if not one.specifier.contains(present, prereleases=True)
        )
        assert any(_has_bound(one.specifier, (">=", ">", "==", "~=")) for one in stated), (
            f"It names no version of {SDK} that is the least: {', '.join(map(str, stated))}."
        )
        if not any(_has_bound(one.specifier, ("<", "<=", "==", "~=")) for one in stated):
            note(
                f"It takes every later {SDK}: {', '.join(map(str, stated))}. One that breaks it"
                " is told from one that does not by an upper bound."
            )

    def test_the_module_of_its_entry_point_is_there(self) -> None:
        """If it fails: mend the entry point in pyproject.toml, or the folder that the build puts
        into the wheel.
        """
        found = self.found()
        report = watch_import(found, self.time_limit)

        assert not report.is_missing, report.error
        if report.error and "." in found.module:
            raise SkipTest("It was perhaps not reached: it, or a package around it, fails.")

    def test_it_can_be_imported(self) -> None:
        """If it fails: a module that is imported raises nothing, ends nothing and waits for
        nothing; what a plugin needs is named in its dependencies.
        """
        report = watch_import(self.found(), self.time_limit)
        if report.is_missing:
            raise SkipTest("The module of its entry point is not there.")

        assert not report.error, report.error
        assert not report.hooks_error, report.hooks_error
        hosts = report.modules_of(HOST)
        if hosts and self.found().top != HOST:
            note(f"It imports {HOST}: {shortened(hosts, most=3)}; a plugin stands on {SDK} alone.")

    def test_loading_it_prints_nothing(self) -> None:
        """If it fails: take the print out, or log: a program may read the standard output, and a
        person the standard error.
        """
        report = watch_import(self.found(), self.time_limit)

        # The traceback of what ended the import is no print of the plugin.
        streams = {"output": report.printed, "error": "" if report.error else report.complained}
        none_of(
            f"It prints on the standard {stream}: {' '.join(text.split())[:200]!r}."
            for stream, text in streams.items()
            if text.strip()
        )
        if report.error or report.hooks_error:
            raise SkipTest("It cannot be imported; until then it printed nothing.")
        all_seen(report.unasked)

    def test_loading_it_does_no_work(self) -> None:
        """If it fails: do it in the activity, or the method, that needs it, on first use. A host
        loads plugins only to list them, in processes that are none of a plugin's.
        """
        report = self.report()

        if report.work_of_others:
            note(f"What it imports does work: {'; '.join(report.work_of_others[:3])}.")
        none_of(f"It {what}." for what in report.work)
        all_seen(report.unasked)

    def test_each_hook_is_known_and_marked(self) -> None:
        """If it fails: name the function like the hook, and write `@hookimpl` over it."""
        none_of(self.contributions().misspelt)

    def test_each_hook_has_its_signature(self) -> None:
        """If it fails: a hook takes the arguments of its specification in
        `agenthost_sdk.hookspecs`, or fewer.
        """
        found = self.contributions()

        none_of(found.signatures)
        if found.misspelt:
            raise SkipTest("There are hooks that are written wrongly.")

    def test_it_implements_a_hook(self) -> None:
        """If it fails: write a function such as `agenthost_tools`, with `@hookimpl` over it, into
        the module that the entry point names.
        """
        found = self.contributions()
        if not found.hooks and (found.misspelt or found.signatures):
            raise SkipTest("Its hooks are written wrongly.")

        assert found.hooks, f"It {no_hook_words(self.found().value)}"

    def test_each_hook_gives_what_it_should(self) -> None:
        """If it fails: return what the hook's docstring in `agenthost_sdk.hookspecs` says: a list
        or a mapping, of classes or of functions that make one.
        """
        none_of(self.contributions().wrong)
        self._all_read()

    def test_each_tool_can_be_made(self) -> None:
        """If it fails: a tool is made without arguments, but for options that a person sets (the
        tests take these from `tool_options`), and each of its activities has a schema.
        """
        made = self.made_tools()

        for lacking in made.unset:
            note(f"{lacking} Its tests were left out.")
        none_of(made.faults)
        self._all_read("agenthost_tools")

    def test_each_executor_can_be_made(self) -> None:
        """If it fails: give a class, or a function without arguments, that makes a
        `concurrent.futures.Executor`.
        """
        none_of(executor_faults(self.contributions()))
        self._all_read("agenthost_executors")

    def test_commands_and_guards_are_described(self) -> None:
        """If it fails: write a docstring; a person reads its first sentence in a list."""
        none_of(
            f"The {one.kind} {one.name!r} has no docstring."
            for one in self.contributions().given
            if one.kind in ("command", "action guard") and not is_described(one)
        )
        self._all_read("agenthost_commands", "agenthost_action_guards")

    def test_its_names_are_legal(self) -> None:
        """If it fails: a name is one word without a colon, since a person writes the model or the
        parameters behind it: `-m NAME:MODEL`.
        """
        names = [("entry point", self.found().name), *self.names()]

        none_of(
            f"{name!r} is no name for {_with_article(kind)}."
            for kind, name in names
            if not name or ":" in name or name.split() != [name]
        )
        all_seen(self.unnamed())

    def test_no_two_of_its_names_are_alike(self) -> None:
        """If it fails: rename one of them; a name belongs to whoever has it first, and small and
        capital letters alone do not tell two names apart.
        """
        counted = Counter((kind, name.casefold()) for kind, name in self.names())

        none_of(
            f"{count} have the {kind} {name!r}."
            if kind == "native name"
            else f"{count} of its {kind}s are named {name!r}."
            for (kind, name), count in counted.items()
            if count > 1
        )
        all_seen(self.unnamed())

    def found(self) -> FoundPlugin:
        """Return the plugin's entry point; leave the test out where it is not found."""
        found = matching(declared(self, "plugin"), self.distribution)
        if len(found) != 1:
            raise SkipTest("It is not found by its entry point.")
        return found[0]

    def report(self) -> ImportReport:
        """Return what importing it did; leave the test out where it cannot be imported."""
        report = watch_import(self.found(), self.time_limit)
        if report.error or report.hooks_error:
            raise SkipTest("It cannot be imported.")
        return report

    def contributions(self) -> Contributions:
        """Return what it contributes; leave the test out where it cannot be imported."""
        self.report()
        found = self.found()
        try:
            return read_contributions(found.value)
        except PLUGIN_FAILURES as error:  # alone it can be imported, beside others it cannot
            raise AssertionError(import_words(found.value, error)) from error

    def made_tools(self) -> MadeTools:
        """Return its tools, as far as they can be made."""
        return made_tools(self.contributions(), self.tool_options)

    def names(self) -> list[tuple[str, str]]:
        """Return the kind and the name of each thing that it contributes under a name."""
        return list(names_of(self.contributions(), self.made_tools().tools))

    def unnamed(self) -> list[str]:
        """Return the hooks that could not be read, and the tools that could not be made."""
        found = self.contributions()
        return [*found.unread_of(()), *self.made_tools().unmade_of(found)]

    def _all_read(self, *hooks: str) -> None:
        """Leave the test out where one of these hooks, or of all, could not be read."""
        all_seen(self.contributions().unread_of(hooks))


def _requirements_of_sdk(requires: tuple[str, ...]) -> Iterator[Requirement]:
    from packaging.requirements import InvalidRequirement, Requirement  # this test alone reads it

    for text in requires:
        try:
            requirement = Requirement(text)
        except InvalidRequirement:
            continue
        holds = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        if holds and normalized(requirement.name) == SDK:
            yield requirement


def _has_bound(specifier: SpecifierSet, operators: tuple[str, ...]) -> bool:
    return any(one.operator in operators for one in specifier)


def _with_article(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"
