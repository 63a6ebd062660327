"""Thousands of public function specs become tools: right calls pass, wrong ones are refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from agenthost.actions.toolbox import Toolbox
from agenthost.actions.validation import Ready, prepare
from agenthost_sdk.actions import NATIVE_NAME
from agenthost_sdk.artifacts import ErrorArtifact
from agenthost_sdk.errors import InvalidInput
from support import bfcl
from support.data_files import FUNCTIONS, needs
from support.wrong_inputs import CHANGES, Json, wrong_inputs

pytestmark = needs(FUNCTIONS)

#: How many functions, of how many names; and how many calls.
DESCRIBED, NAMES, CALLS = 2_422, 1_147, 2_133

_VARIABLE = "the name of a JavaScript variable stands for what is in it"

#: The calls that the leaderboard gives as right and that its own specs refuse: how many, where.
MISFITS: dict[str, tuple[int, set[str], str]] = {
    "cmd_controller.execute": (21, {"/unit"}, "the default 'N/A' is not in the enum beside it"),
    "ControlAppliance.execute": (1, {"/command"}, "the appliance is none of the enum's"),
    "record": (2, {""}, "no value at all is right for arrays that are required"),
    "calculate_voltage_difference": (1, {""}, "'permeability' belongs to the other function"),
    "bank.calculate_balance": (1, {""}, "'type' is a key of a transaction, not of the call"),
    "linear_regression_fit": (1, {"/x", "/y"}, "a Python expression stands for its array"),
    "sort_list": (1, {f"/elements/{at}" for at in range(5)}, "words, where integers are sorted"),
    "game_result.get_winner": (1, {"/venue"}, "true, where the venue is a text"),
    "manageReactState": (1, {"/store/initialState", "/store/reducers"}, _VARIABLE),
    "validateApiResponse": (1, {"/jsonPayload"}, _VARIABLE),
    "prioritizeAndSort": (1, {"/items"}, _VARIABLE),
    "ChartSeriesGenerator": (1, {"/chartLayout", "/data", "/labels"}, _VARIABLE),
    "configureShaderMaterial": (1, {"/property", "/textures"}, _VARIABLE),
    "pollQueue": (1, {"/queue"}, _VARIABLE),
    "addInitializedPropertyStatements": (1, {"/statements"}, _VARIABLE),
    "maybeAddJsSyntheticRestParameter": (1, {"/parameters"}, _VARIABLE),
}

#: Those that the specs refuse only where what may be left out is: it is required all the same.
MISFITS_LEFT_OUT = {
    "calculate_final_speed": 1,
    "kinematics.distance": 1,
    "league_stats.get_top_scorer": 1,
    "get_prime_factors": 1,
    "calculate_emissions": 1,
}

#: Those of MISFITS that pass where what may be left out is.
MENDED_LEFT_OUT = (
    "cmd_controller.execute",
    "calculate_voltage_difference",
    "bank.calculate_balance",
    "game_result.get_winner",
)


def test_every_function_becomes_a_tool_with_its_own_schema_and_a_legal_name() -> None:
    described, natives = 0, {}
    for file in bfcl.files():
        for row in bfcl.rows(file):
            toolbox = row.toolbox()
            for name, schema in row.schemas().items():
                described += 1
                spec = bfcl.spec_of(name, toolbox)
                natives[name] = spec.native
                assert spec.schema == schema
                assert NATIVE_NAME.match(spec.native)

    assert described == DESCRIBED
    assert len(natives) == len(set(natives.values())) == NAMES


def test_every_right_call_is_accepted_and_arrives_as_it_was_given() -> None:
    calls, misfits = 0, Counter[str]()
    for name, toolbox, _, call in _calls():
        calls += 1
        given = bfcl.fullest(call)
        pointers = _refused(name, given, toolbox)
        if pointers:
            misfits[name] += 1
            assert pointers == MISFITS[name][1], name
        else:
            assert _arrived(name, given, toolbox) == _without_nulls(given)

    assert calls == CALLS
    assert misfits == {name: misfit[0] for name, misfit in MISFITS.items()}


def test_every_right_call_is_accepted_without_what_may_be_left_out() -> None:
    misfits = Counter(
        name for name, toolbox, _, call in _calls() if _refused(name, bfcl.shortest(call), toolbox)
    )

    left = {name: misfit[0] for name, misfit in MISFITS.items() if name not in MENDED_LEFT_OUT}
    assert misfits == left | MISFITS_LEFT_OUT


def test_every_wrong_input_is_refused_with_a_pointer_to_what_is_wrong() -> None:
    refused, faults = Counter[str](), []
    for name, toolbox, schema, call in _calls():
        right = _right(name, call, toolbox)
        for wrong in wrong_inputs(schema, right or {}) if right is not None else ():
            refused[wrong.kind] += 1
            pointers = _refused(name, wrong.input, toolbox)
            if pointers != {wrong.pointer}:
                faults.append((name, wrong, pointers))

    assert faults == []
    assert refused.total() > 35_000
    assert set(refused) == set(CHANGES)
    assert min(refused.values()) > 350


def _calls() -> Iterator[tuple[str, Toolbox, Json, Json]]:
    """Yield each call: its function's name, its toolbox, its schema, and what it allows."""
    for file in bfcl.files():
        for row in bfcl.rows(file):
            toolbox, schemas = row.toolbox(), row.schemas()
            for name, call in row.calls:
                yield name, toolbox, schemas[name], call


def _right(name: str, call: Json, toolbox: Toolbox) -> Json | None:
    """Return an input of a call that its spec accepts, the fullest that there is."""
    for given in (bfcl.fullest(call), bfcl.shortest(call)):
        if not _refused(name, given, toolbox):
            return _without_nulls(given)
    return None


def _refused(name: str, given: Any, toolbox: Toolbox) -> set[str]:
    """Return where a host finds an input wrong; nothing where it accepts it."""
    prepared = prepare(bfcl.action(name, given), toolbox)
    if isinstance(prepared, Ready):
        assert all(repair.endswith("null left out") for repair in prepared.action.repairs)
        return set()
    assert isinstance(prepared.output, ErrorArtifact)
    assert isinstance(prepared.output.exception, InvalidInput)
    return {problem.pointer for problem in prepared.output.exception.problems}


def _arrived(name: str, given: Json, toolbox: Toolbox) -> Any:
    """Return what a function is called with, as the tool itself reads the prepared action."""
    prepared = prepare(bfcl.action(name, given), toolbox)
    assert isinstance(prepared, Ready)
    assert prepared.tool.arguments(prepared.action) == prepared.arguments
    return prepared.arguments.kwargs


def _without_nulls(given: Json) -> Json:
    """Return an input without its nulls, which stand for keys that are left out."""
    return {name: value for name, value in given.items() if value is not None}
