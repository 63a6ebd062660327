"""Output validators by name, with and without parameters."""

from __future__ import annotations

import pytest

from agenthost.host import Host
from agenthost.registry.plugins import Registry
from agenthost.settings import Settings
from agenthost_sdk.artifacts import TextArtifact
from agenthost_sdk.errors import DefinitionError, NotFoundError, PluginError, SettingsError
from agenthost_sdk.testing import ScriptedDriver
from agenthost_sdk.validators import BaseOutputValidator, Verdict
from support.sites import Site

JUDGES = """
import re
from agenthost_sdk import BaseOutputValidator, Verdict, hookimpl
from agenthost_sdk.errors import DefinitionError

class Polite(BaseOutputValidator):
    '''Ask for a polite answer.'''

    def validate(self, output):
        polite = "please" in output.to_text()
        return Verdict.accept() if polite else Verdict.refuse("Say please.")

class AtMost(Polite):
    '''Ask for a short answer.'''

    parameters = "NUMBER"
    example = "100"

    def __init__(self, most):
        self.most = int(most)

class Matching(Polite):
    def __init__(self, pattern):
        self.pattern = re.compile(pattern)

class Lines(Polite):
    parameters = "[NUMBER]"

    def __init__(self, lines="1"):
        if lines == "0":
            raise DefinitionError("No answer has 0 lines.")
        self.lines = lines

class Broken(Polite):
    parameters = "TEXT"

    def __init__(self, text):
        raise KeyError("a bug")

class Upper(Polite):
    '''Take what comes, and write it in capitals.'''

    def validate(self, output):
        return Verdict.replace(output.to_text().upper())

def made(*, strict=True):
    '''Make a polite one.'''
    return Polite()

@hookimpl
def agenthost_output_validators():
    return {
        "polite": Polite, "at-most": AtMost, "matching": Matching, "lines": Lines,
        "broken": Broken, "upper": Upper, "made": made, "nothing": lambda: None,
        "bad:name": Polite,
    }
"""


@pytest.fixture
def registry(installed: Site, settings: Settings) -> Registry:
    installed.install("judges", JUDGES)
    return Registry(settings)


@pytest.mark.parametrize(
    ("named", "attribute", "value"),
    [
        ("at-most:12", "most", 12),
        (" at-most :12", "most", 12),
        ("matching:a:b", "pattern.pattern", "a:b"),
        ("matching:", "pattern.pattern", ""),
        ("lines", "lines", "1"),
        ("lines:3", "lines", "3"),
        ("polite", "__class__.__name__", "Polite"),
        ("made", "__class__.__name__", "Polite"),
    ],
)
def test_all_behind_the_first_colon_is_the_one_text_that_a_validator_is_made_of(
    registry: Registry, named: str, attribute: str, value: object
) -> None:
    found: object = registry.make_validator(named)
    for name in attribute.split("."):
        found = getattr(found, name)

    assert found == value


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ("at-most", "'at-most' needs parameters. It is written at-most:NUMBER, such as 'at-most:"),
        ("matching", "'matching' needs parameters. It is written matching:PATTERN."),
        ("polite:very", "'polite' takes no parameters, and 'very' was given. Write 'polite'"),
        ("made:x", "'made' takes no parameters"),
        ("polite:", "'polite' takes no parameters"),
        ("at-most:ten", "made with 'ten': invalid literal .* such as 'at-most:100'"),
        ("matching:(", r"with '\(': \w+: .*unterminated.*\. It is written matching:PATTERN\."),
        ("lines:0", r"with '0': No answer has 0 lines\. It is written lines\[:NUMBER\]\."),
    ],
)
def test_parameters_that_are_missing_too_many_or_unreadable_are_told(
    registry: Registry, named: str, words: str
) -> None:
    with pytest.raises(SettingsError, match=words):
        registry.make_validator(named)


@pytest.mark.parametrize(
    ("named", "words"),
    [
        (
            "broken:x",
            r"judges \(.*\): output validator 'broken' cannot be made: KeyError",
        ),
        ("nothing", "'nothing' gave NoneType, which is no BaseOutputValidator"),
    ],
)
def test_a_validator_that_is_broken_is_the_fault_of_its_plugin(
    registry: Registry, named: str, words: str
) -> None:
    with pytest.raises(PluginError, match=words):
        registry.make_validator(named)


def test_an_unknown_validator_is_answered_with_its_nearest(registry: Registry) -> None:
    with pytest.raises(NotFoundError, match=r"named 'at-mots'.*Did you mean 'at-most'"):
        registry.make_validator("at-mots:3")


def test_what_each_takes_stands_in_the_catalog(registry: Registry) -> None:
    rows = {name: row for name, (row, _) in registry.catalog.validators.items()}

    assert {name: row.usage for name, row in rows.items()} == {
        "polite": "polite",
        "at-most": "at-most:NUMBER",
        "matching": "matching:PATTERN",
        "lines": "lines[:NUMBER]",
        "broken": "broken:TEXT",
        "upper": "upper",
        "made": "made",
        "nothing": "nothing",
    }
    assert (rows["at-most"].example, rows["made"].description) == ("100", "Make a polite one.")


def test_a_name_that_could_never_be_asked_for_is_a_fault(registry: Registry) -> None:
    assert any("'bad:name' cannot be used" in line for line in registry.problems())


class Kept(BaseOutputValidator):
    """Remember what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def validate(self, output: object) -> Verdict:
        self.asked.append(str(output))
        return Verdict.accept()


def test_an_agent_takes_validators_by_name_and_as_objects_and_runs_them_in_order(
    installed: Site, settings: Settings
) -> None:
    installed.install("judges", JUDGES)
    kept = Kept()
    driver = ScriptedDriver(["Now.", "Now, please."])
    agent = Host(settings=settings).agent(
        "When?", prompt_driver=driver, output_validators=["polite", "upper", kept]
    )

    run = agent.run()

    assert run.output == TextArtifact("NOW, PLEASE.")
    assert kept.asked == ["NOW, PLEASE."]
    assert "Say please." in driver.stacks[-1].messages[-1].to_text()


def test_no_validator_runs_that_was_not_chosen(installed: Site, settings: Settings) -> None:
    installed.install("judges", JUDGES)
    agent = Host(settings=settings).agent("When?", prompt_driver=ScriptedDriver(["Now."]))

    assert agent.run().value == "Now."


def test_a_class_in_place_of_a_validator_is_refused(settings: Settings) -> None:
    host = Host(settings=settings)

    with pytest.raises(DefinitionError, match=r"Write Kept\(\) to make one"):
        host.agent(prompt_driver=ScriptedDriver([]), output_validators=[Kept])  # type: ignore[list-item]


def test_one_name_may_stand_for_a_list_of_one(installed: Site, settings: Settings) -> None:
    installed.install("judges", JUDGES)
    agent = Host(settings=settings).agent(
        prompt_driver=ScriptedDriver([]), output_validators="at-most:3"
    )

    assert [type(one).__name__ for one in agent.setup.validators] == ["AtMost"]
