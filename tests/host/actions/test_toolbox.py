"""The toolbox: names, specs, and the tool behind each."""

from __future__ import annotations

from typing import Any

import pytest

from agenthost.actions.toolbox import Toolbox
from agenthost_sdk import BaseTool, activity
from agenthost_sdk.actions import ToolAction
from agenthost_sdk.errors import DefinitionError, NativeNameError, NotFoundError
from support.trial_tools import Clock, Store


class Fine_Store(BaseTool):
    """Claim a name that another tool can claim too."""

    @activity
    def put(self) -> None:
        """Put."""


class Fine(BaseTool):
    """Claim it."""

    @activity(name="Store_put")
    def put(self) -> None:
        """Put."""


def test_every_activity_of_every_tool_is_on_offer_in_order() -> None:
    toolbox = Toolbox([Store(), Clock(allowlist=["echo"])])

    assert [*toolbox.table.specs] == ["Store_put", "Store_place", "Clock_echo"]
    assert len(toolbox) == 3


def test_an_action_leads_to_its_tool_and_spec(toolbox: Toolbox) -> None:
    action = ToolAction("1", "Store", "put")

    spec, tool = toolbox.find(action)
    assert tool is toolbox.tools[0]
    assert spec.native == "Store_put"


def test_an_unknown_action_names_the_nearest(toolbox: Toolbox) -> None:
    with pytest.raises(NotFoundError, match="Did you mean 'put'"):
        toolbox.find(ToolAction("1", "Store", "pu"))


def test_a_spec_bears_the_distribution_of_its_tool() -> None:
    store = Store()

    toolbox = Toolbox([store, Clock()], {store: "agenthost-plugin-store"})

    origins = {spec.name: spec.origin for spec in toolbox.table.specs.values()}
    assert origins == {"Store": "agenthost-plugin-store", "Clock": ""}


def test_an_empty_toolbox_is_none_at_all() -> None:
    assert len(Toolbox()) == 0
    assert not Toolbox()


def test_two_tools_of_one_name_are_refused_with_a_way_out() -> None:
    with pytest.raises(DefinitionError, match=r"Two tools are named 'Store'.*name='Store2'"):
        Toolbox([Store(), Store()])


def test_one_class_serves_twice_under_two_names() -> None:
    toolbox = Toolbox([Store(), Store(name="Store2")])

    assert "Store2_put" in toolbox.table.specs


def test_two_tools_that_claim_one_native_name_are_both_named() -> None:
    first, second = Fine_Store(), Fine()

    with pytest.raises(NativeNameError) as caught:
        Toolbox([first, second], {first: "one-plugin", second: "other-plugin"})

    assert "one-plugin" in str(caught.value)
    assert "other-plugin" in str(caught.value)
    assert "'Fine_Store_put'" in str(caught.value)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [(Store, r"Write Store\(\) to make one"), (print, "is no tool"), ("Store", "is no tool")],
    ids=["class", "function", "name"],
)
def test_something_that_is_no_tool_is_refused(wrong: Any, words: str) -> None:
    with pytest.raises(DefinitionError, match=words):
        Toolbox([wrong])
