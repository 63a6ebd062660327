"""Run classes of tests without pytest, and tell what came of each test."""

from __future__ import annotations

import contextlib
import linecache
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple
from unittest import SkipTest

from agenthost_sdk.hook_reading import PLUGIN_FAILURES, words
from agenthost_sdk.redaction import without_keys
from agenthost_sdk.testing.conformance.faults import ConformanceWarning
from agenthost_sdk.testing.conformance.plugins import PluginConformance
from agenthost_sdk.testing.plugins.child import Ended, call_in_child, write_report
from agenthost_sdk.testing.plugins.found import FoundPlugin
from agenthost_sdk.testing.whole import conformance_of, subject_of


class CheckResult(NamedTuple):
    """What came of one test."""

    #: What was tested, such as "tool Weather".
    subject: str
    #: The sentence that the test proves.
    check: str
    state: Literal["passed", "failed", "left out"]
    #: What was found; why it was left out.
    message: str = ""
    #: What to do about it, where it failed.
    advice: str = ""
    #: What works, and should be known.
    notes: tuple[str, ...] = ()


class PluginCheck(NamedTuple):
    """What came of all tests of a plugin."""

    results: tuple[CheckResult, ...] = ()
    #: How long its import took, how many modules it added, and which packages of others with how
    #: many each; nothing where it cannot be imported.
    imported: Mapping[str, Any] = MappingProxyType({})
    #: The kind and the name of each thing that it contributes under a name.
    names: tuple[tuple[str, str], ...] = ()
    #: What of it could not be read, so that its names are not known.
    unnamed: tuple[str, ...] = ("what it contributes",)

    @property
    def is_passed(self) -> bool:
        """Whether no test failed."""
        return not any(result.state == "failed" for result in self.results)


def check_plugin(
    plugin: FoundPlugin,
    *,
    path: list[str],
    tool_options: Mapping[str, Any] | None = None,
    seconds: float = 300.0,
) -> PluginCheck:
    """Run all tests of a plugin in a process of its own.

    Args:
        plugin: The plugin.
        path: The folders in which that process looks for modules and for the plugin.
        tool_options: What its tools are made with, by the name of a tool's class.
        seconds: How long all of it may take.
    """
    request = {
        "path": path,
        "plugin": plugin.name,
        "distribution": plugin.distribution,
        "tool_options": dict(tool_options or {}),
    }
    return _gathered(call_in_child("agenthost_sdk.testing.checks:main", request, seconds), plugin)


def main(request: Mapping[str, Any]) -> None:
    """Run all tests of the plugin that the request names, and report what came of each."""
    tests = conformance_of(
        request["plugin"],
        tool_options=request["tool_options"],
        distribution=request["distribution"],
        # So that a plugin that hangs is told before all of the time is gone.
        time_limit=min(PluginConformance.time_limit, request["seconds"] / 2),
    )
    whole = next(iter(tests.values()))()
    with contextlib.suppress(SkipTest, AssertionError):  # its tests say why
        write_report(request, {"imported": _imported(whole)})
        write_report(request, {"names": whole.names(), "unnamed": whole.unnamed()})
    for one in tests.values():
        for result in run_tests(one, lambda begun: write_report(request, {"begun": begun})):
            write_report(request, {"result": result})
    write_report(request, {"done": True})


def run_tests(
    tests: type, tell: Callable[[CheckResult], None] | None = None
) -> Iterator[CheckResult]:
    """Yield what comes of each test of a class, in the order in which they are written.

    Args:
        tests: A subclass of a conformance class.
        tell: Is told of each test before it runs.
    """
    for name in _test_names(tests):
        begun = CheckResult(subject_of(tests), _sentence(name), "failed")
        if tell is not None:
            tell(begun)
        yield _run(tests, name, begun)


def _imported(whole: PluginConformance) -> dict[str, Any]:
    report = whole.report()
    return {
        "seconds": report.seconds,
        "modules": len(report.modules),
        "packages": dict(report.packages(whole.found().top)),
    }


def _run(tests: type, name: str, begun: CheckResult) -> CheckResult:
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always", ConformanceWarning)
        state, message = _tried(tests, name)
    notes = [str(one.message) for one in warned if issubclass(one.category, ConformanceWarning)]
    advice = _advice(getattr(tests, name)) if state == "failed" else ""
    return begun._replace(state=state, message=message, advice=advice, notes=tuple(notes))


def _tried(tests: type, name: str) -> tuple[Literal["passed", "failed", "left out"], str]:
    try:
        getattr(tests(), name)()
    except SkipTest as skipped:
        return "left out", str(skipped)
    except AssertionError as error:
        return "failed", without_keys(str(error)) or _asserted(error)
    except PLUGIN_FAILURES as error:
        return "failed", words(error)
    return "passed", ""


def _asserted(error: AssertionError) -> str:
    """Return the line of an assertion that bears no words."""
    frames = traceback.extract_tb(error.__traceback__)
    line = linecache.getline(frames[-1].filename, frames[-1].lineno or 0).strip() if frames else ""
    return f"This does not hold: {line.removeprefix('assert ')}"


def _test_names(tests: type) -> list[str]:
    names = {name: None for kind in reversed(tests.__mro__) for name in vars(kind)}
    return [name for name in names if name.startswith("test_") and callable(getattr(tests, name))]


def _sentence(name: str) -> str:
    return name.removeprefix("test_").replace("_", " ")


def _advice(test: Any) -> str:
    said = " ".join((test.__doc__ or "").split()).removeprefix("If it fails: ")
    return f"{said[:1].upper()}{said[1:]}"


def _gathered(ended: Ended, plugin: FoundPlugin) -> PluginCheck:
    """Read the report of the child, which may have ended in the midst of a test."""
    results: list[CheckResult] = []
    begun = CheckResult(f"plugin {plugin.name}", "its tests can be collected", "failed")
    found = PluginCheck()
    for line in ended.report:
        if "begun" in line:
            begun = _read(line["begun"])
        elif "result" in line:
            results.append(_read(line["result"]))
        elif "imported" in line:
            found = found._replace(imported=line["imported"])
        elif "names" in line:
            names = tuple((kind, name) for kind, name in line["names"])
            found = found._replace(names=names, unnamed=tuple(line["unnamed"]))
    if not any("done" in line for line in ended.report):
        results.append(begun._replace(message=_cut_off(ended)))
    return found._replace(results=tuple(results))


def _read(row: list[Any]) -> CheckResult:
    result = CheckResult(*row)
    return result._replace(notes=tuple(result.notes))


def _cut_off(ended: Ended) -> str:
    said = ended.complained.strip().splitlines()
    last = f" ({without_keys(said[-1])[:200]})" if said and ended.ending else ""
    return f"The test {ended.ending or 'ended the process'}{last}."
