"""What one plugin says or leaves behind keeps no other from being listed."""

from __future__ import annotations

import pytest

from support.sites import CommandLine, Site, plugin_code

LISTINGS = [
    ("--help",),
    ("tools", "list", "--json"),
    ("plugins", "list"),
    ("plugins", "list", "--json"),
    ("plugins", "show", "odd"),
    ("dialects", "list"),
    ("drivers", "list"),
    ("validators", "list"),
]

DIALECT = """
from agenthost_sdk import BaseDialect, hookimpl

class Odd(BaseDialect):
    name = %s
    answer = offer = read = lambda self, *given: None

@hookimpl
def agenthost_dialects():
    return [Odd]
"""

VALIDATOR = """
from agenthost_sdk import BaseOutputValidator, hookimpl

class Odd(BaseOutputValidator):
    '''Look.'''

    def validate(self, output):
        return output

@hookimpl
def agenthost_output_validators():
    return {%s: Odd}
"""

DRIVER = """
from agenthost_sdk import BasePromptDriver, hookimpl

class Odd(BasePromptDriver):
    '''Speak.'''
    key_env = ["KEY"]

    def try_run(self, stack):
        return stack

    def try_stream(self, stack):
        return iter(())

@hookimpl
def agenthost_prompt_drivers():
    return {"odd": Odd}
"""

DESCRIBED = plugin_code("Odd").replace("    @activity", "    description = {}\n\n    @activity")

WRITING = """
import os

for number in range(3, 30):
    try:
        os.write(number, b'{"result": 3}\\n{"raised": 3}\\n[]\\n')
    except OSError:
        pass
""" + plugin_code("Odd")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (DIALECT % "['a']", "a dialect's name is one word"),
        (DIALECT % "3", "a dialect's name is one word"),
        (VALIDATOR % r"'\ud800'", "an output validator's name is one word"),
        (VALIDATOR % r"'a\x1b[31m'", "an output validator's name is one word"),
        (DRIVER, "its key_env is ['KEY'], which is no text"),
        (DESCRIBED, "its description is {}, which is no text"),
        (r"raise RuntimeError('\ud800')", "RuntimeError: ?"),
        (WRITING, ""),
    ],
    ids=["list", "number", "surrogate", "escape", "key", "description", "error", "writing"],
)
def test_a_plugin_that_says_what_no_listing_can_show_spoils_none(
    site: Site, agenthost: CommandLine, code: str, words: str
) -> None:
    site.install("odd", code)
    site.install("good", plugin_code())

    for listing in LISTINGS:
        shown = agenthost(*listing)
        assert (listing, shown.code) == (listing, 0)
        assert "Traceback" not in shown.err
    assert words in agenthost("tools", "list").err
    assert "Greeter_hello" in agenthost("tools", "list").out


@pytest.mark.parametrize("requires", ['agenthost-sdk; os_name ~= "posix"', "agenthost-sdk >=1,,!"])
def test_a_requirement_that_makes_no_sense_is_none(
    site: Site, agenthost: CommandLine, requires: str
) -> None:
    site.install("odd", plugin_code(), requires=requires)

    listed = agenthost("tools", "list")

    assert (listed.code, listed.err) == (0, "")
    assert "Greeter_hello" in listed.out


def test_what_an_uninstaller_left_behind_hides_no_plugin_and_is_none(
    site: Site, agenthost: CommandLine
) -> None:
    site.install("good", plugin_code(), version="2.0")
    (site.folder / "agenthost_plugin_good-1.0.dist-info").mkdir()
    site.install("left", plugin_code("Left"))
    metadata = site.folder / "agenthost_plugin_left-1.0.dist-info"
    metadata.rename(site.folder / "~genthost_plugin_left-1.0.dist-info")

    listed = agenthost("tools", "list").out

    assert "Greeter_hello" in listed
    assert "Left_hello" not in listed


OPTIONS = plugin_code("Set").replace(
    "    @activity",
    """    rate: float = float("nan")
    round: list = LOOP
    shy: object = SHY
    text: str = "\\ud800"
    way: object = print_nothing

    @activity""",
)


def test_defaults_that_json_has_no_word_for_are_told_by_their_kind(
    site: Site, agenthost: CommandLine
) -> None:
    before = """
class Shy:
    def __repr__(self):
        raise ValueError("no")

SHY = Shy()
LOOP = []
LOOP.append(LOOP)

def print_nothing():
    pass
"""
    site.install("set", before + OPTIONS)

    shown = agenthost("tools", "list", "--json")

    [tool] = [row for row in shown.json["data"] if row["name"] == "Set"]
    given = {option["name"]: option["default"] for option in tool["options"]}
    assert shown.err == ""
    assert given == {
        "rate": "float",
        "round": "list",
        "shy": "Shy",
        "text": "str",
        "way": "print_nothing",
    }
