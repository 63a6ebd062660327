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


#: A plugin that contributes one thing of several kinds.
ALL_KINDS = """
from dataclasses import dataclass
from agenthost_sdk import *
from agenthost_sdk import hookimpl
from agenthost_sdk.testing import ScriptedDriver, WordsEmbeddingDriver

@dataclass(kw_only=True, eq=False)
class EchoPromptDriver(BasePromptDriver):
    '''Say it again.'''

    provider = "echo"
    model: str = "echo-1"

    def try_run(self, stack):
        return Message("assistant", ())

    def try_stream(self, stack):
        yield DeltaMessage(finish="stop")

@dataclass(kw_only=True, eq=False)
class EchoEmbeddingDriver(WordsEmbeddingDriver):
    '''Embed by words.'''

class EchoDriversConfig(DriversConfig):
    '''Both.'''

    def make_prompt_driver(self):
        return EchoPromptDriver()

class AtMost(BaseOutputValidator):
    '''Refuse more characters than that.'''

    parameters = "NUMBER"
    example = "100"

    def __init__(self, most):
        self.most = int(most)

    def validate(self, output):
        if len(output.to_text()) > self.most:
            return Verdict.refuse("Too long.")
        return Verdict.accept()

@hookimpl
def agenthost_prompt_drivers():
    return {"echo": EchoPromptDriver}

@hookimpl
def agenthost_embedding_drivers():
    return {"echo": EchoEmbeddingDriver}

@hookimpl
def agenthost_drivers_configs():
    return {"echo": EchoDriversConfig}

@hookimpl
def agenthost_output_validators():
    return {"at-most": AtMost}
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
