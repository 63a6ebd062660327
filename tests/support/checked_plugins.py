"""A plugin that is right, and what comes of the tests of one."""

from __future__ import annotations

from collections.abc import Callable

from agenthost_sdk.testing import (
    PluginConformance,
)
from agenthost_sdk.testing.checks import CheckResult, run_tests

#: Installs a plugin of some code under a name, and returns the name.
Install = Callable[..., str]


GOOD = """
from agenthost_sdk import BaseTool, activity, hookimpl

class Weather(BaseTool):
    '''Tell the weather.'''

    unit: str = "celsius"

    @activity(read_only=True, examples=[("How is it in Rome?", {"city": "Rome"})])
    def now(self, city: str) -> str:
        '''Tell how the weather is.

        Args:
            city: Where.
        '''
        return f"{city}: warm in {self.unit}"

@hookimpl
def agenthost_tools():
    return [Weather]
"""


def plugin_of(name: str, **attributes: object) -> type[PluginConformance]:
    """Return the class that tests an installed plugin."""
    return type("TestIt", (PluginConformance,), {"plugin": name, **attributes})


def results_of(name: str, **attributes: object) -> dict[str, CheckResult]:
    """Return what comes of each test of an installed plugin, by its sentence."""
    return {result.check: result for result in run_tests(plugin_of(name, **attributes))}


def failed(results: dict[str, CheckResult]) -> dict[str, str]:
    """Return what those that failed found."""
    return {
        result.check: result.message for result in results.values() if result.state == "failed"
    }
