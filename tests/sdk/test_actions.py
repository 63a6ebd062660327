"""Actions, and the table that resolves native names."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenthost_sdk.actions import (
    NATIVE_NAME,
    ActionArtifact,
    Annotations,
    NativeNames,
    ToolAction,
    ToolSpec,
    check_native_name,
    native_name,
    native_specs,
)
from agenthost_sdk.artifacts import ErrorArtifact, TextArtifact
from agenthost_sdk.errors import NativeNameError, NotFoundError


def spec(name: str, path: str | None, origin: str = "") -> ToolSpec:
    return dataclasses.replace(native_specs([(name, path)])[0], origin=origin)


def test_a_native_name_joins_tool_and_activity() -> None:
    assert native_name("Calculator", "evaluate") == "Calculator_evaluate"
    assert native_name("fetch", None) == "fetch"


@given(st.text(), st.none() | st.text())
def test_every_native_name_is_one_that_providers_take(name: str, path: str | None) -> None:
    assert NATIVE_NAME.match(native_name(name, path))
    assert native_name(name, path) == native_name(name, path)


def test_foreign_names_that_differ_in_odd_characters_only_stay_apart() -> None:
    names = {native_name("files.read", None), native_name("files/read", None), "files_read"}

    assert len(names) == 3


def test_a_native_name_of_64_characters_is_taken_and_one_of_65_refused() -> None:
    assert check_native_name("T" * 32, "a" * 31) == "T" * 32 + "_" + "a" * 31
    with pytest.raises(NativeNameError, match="has 65 characters; providers take 64 at most"):
        check_native_name("T" * 32, "a" * 32)


@pytest.mark.parametrize("name", ["my tool", "Zähler", "a.b", "tool\n"], ids=repr)
def test_a_plugins_odd_name_is_refused_with_what_is_allowed(name: str) -> None:
    with pytest.raises(NativeNameError, match="use ASCII letters, digits") as raised:
        check_native_name(name, "act", "agenthost-plugin-odd")

    assert "agenthost-plugin-odd" in str(raised.value)


def test_two_tools_with_one_native_name_are_refused_and_both_are_named() -> None:
    one, other = spec("a_b", "c", "plugin-one"), spec("a", "b_c", "plugin-two")

    with pytest.raises(NativeNameError) as raised:
        NativeNames([one, other])

    assert "'a_b_c'" in str(raised.value)
    assert "plugin-one" in str(raised.value)
    assert "plugin-two" in str(raised.value)


def test_names_with_underscores_are_looked_up_and_not_split() -> None:
    table = NativeNames(native_specs([("my_tool", "x"), ("a", "_b"), ("plain", None)]))

    assert table.resolve("my_tool_x").path == "x"
    assert table.resolve("a__b").path == "_b"
    assert table.resolve("plain").path is None
    assert len(table) == 3


@pytest.mark.parametrize(
    "written",
    [
        "Calculator_evaluate",
        " Calculator_evaluate\n",
        "functions.Calculator_evaluate",
        "calculator_evaluate",
        "Calculator.evaluate",
        "Calculator-evaluate",
        "Calculator:evaluate",
    ],
    ids=repr,
)
def test_a_name_that_means_exactly_one_tool_is_taken_as_meant(written: str) -> None:
    table = NativeNames(native_specs([("Calculator", "evaluate"), ("Text", "count")]))

    assert table.resolve(written).native == "Calculator_evaluate"


def test_a_name_that_could_mean_two_tools_is_refused() -> None:
    table = NativeNames(native_specs([("text", "count"), ("Text", "Count")]))

    assert table.resolve("text_count").name == "text"
    with pytest.raises(NotFoundError):
        table.resolve("TEXT_COUNT")


def test_an_unknown_tool_is_answered_with_its_nearest_name() -> None:
    table = NativeNames(native_specs([("Calculator", "evaluate"), ("Text", "count")]))

    with pytest.raises(NotFoundError) as raised:
        table.resolve("Calculator_eval")

    assert str(raised.value) == (
        "No tool named 'Calculator_eval'. Did you mean 'Calculator_evaluate'?"
        " Known: Calculator_evaluate, Text_count."
    )
    assert raised.value.near == ["Calculator_evaluate"]


def test_an_empty_table_says_that_there_is_no_such_tool() -> None:
    with pytest.raises(NotFoundError, match=r"^No tool named 'x'\.$"):
        NativeNames().resolve("x")


def test_a_text_dialect_finds_an_activity_by_tool_and_path() -> None:
    table = NativeNames(native_specs([("Text", "count"), ("Text", "reverse"), ("Dice", "roll")]))

    assert table.find("Text", "count").native == "Text_count"
    assert table.find("Dice", None).native == "Dice_roll"
    assert table.find("Text_reverse", None).native == "Text_reverse"
    assert table.find("text", "COUNT").native == "Text_count"


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("Text", "Count"),
        ("text", "count"),
        ("Text.count", None),
        ("Text/count", None),
        ("text::Count", None),
        ("textCount", None),
        ("functions.Text_count", None),
        ("tools.Text", "count"),
        ("default_api.Text_count", None),
        ("Text_count<|channel|>json", None),
        ("Text_count()", None),
        ("`Text_count`", None),
        ("Text_count", "count"),
        ("Text", "Text_count"),
        ("Text_count", "Text_count"),
        ("Dice", None),
        ("roll", None),
    ],
    ids=repr,
)
def test_what_a_model_must_have_meant_is_found_and_recorded(name: str, path: str | None) -> None:
    table = NativeNames(native_specs([("Text", "count"), ("Text", "reverse"), ("Dice", "roll")]))

    meant = table.meant(name, path)

    assert meant.spec.native in ("Text_count", "Dice_roll")
    assert repr(meant.spec.native) in meant.repair
    assert name in meant.repair
    assert table.knows(name, path)
    assert table.find(name, path) is meant.spec


@pytest.mark.parametrize(
    ("name", "path"), [("Text", "count"), ("Text_count", None), ("fetch", None)], ids=repr
)
def test_a_right_name_needs_no_repair(name: str, path: str | None) -> None:
    table = NativeNames(native_specs([("Text", "count"), ("fetch", None)]))

    assert table.meant(name, path).repair == ""
    assert table.meant_by(native_name(name, path)).repair == ""


def test_what_was_set_right_in_a_native_name_is_told() -> None:
    table = NativeNames(native_specs([("Text", "count")]))

    assert table.meant_by("functions.text-count").repair == (
        "the name 'functions.text-count' was taken as 'Text_count'"
    )


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("Text", "no"),
        ("Text_count", "reverse"),
        ("Dice", "count"),
        ("", None),
        ("-", None),
        ("_", "_"),
        ("x" * 100_000, None),
        ("Text", "x" * 100_000),
        ("\ud800", "\x00"),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_what_fits_nothing_is_refused_in_few_words(name: str, path: str | None) -> None:
    table = NativeNames(native_specs([("Text", "count"), ("Text", "reverse"), ("Dice", "roll")]))

    assert not table.knows(name, path)
    with pytest.raises(NotFoundError) as raised:
        table.meant(name, path)

    assert len(str(raised.value)) < 400


def test_a_name_that_two_tools_share_is_not_guessed() -> None:
    pairs = [("Text", "count"), ("Stock", "count"), ("a_b", "c"), ("ab", "c")]
    table = NativeNames(native_specs(pairs))

    for name in ("count", "abc"):
        assert not table.knows(name)


def test_an_unknown_activity_is_answered_with_those_of_its_tool() -> None:
    table = NativeNames(native_specs([("Text", "count"), ("Text", "reverse"), ("Dice", "roll")]))

    with pytest.raises(NotFoundError, match="Did you mean 'count'") as raised:
        table.find("Text", "cout")
    with pytest.raises(NotFoundError, match="Known: count, reverse"):
        table.find("Text", None)

    assert raised.value.known == ["count", "reverse"]


def test_an_action_is_answered_once_by_a_copy_of_it() -> None:
    action = ToolAction("t1", "Text", "count", {"text": "a"})

    answered = action.with_output(TextArtifact("1"))

    assert action.output is None
    assert answered.output == TextArtifact("1")
    assert not answered.failed
    assert action.with_output(ErrorArtifact("no")).failed


def test_an_action_shows_tag_name_path_and_input() -> None:
    action = ToolAction("t1", "fetch", input={"url": "x"})

    assert action.to_dict() == {"tag": "t1", "name": "fetch", "input": {"url": "x"}}
    assert ActionArtifact(action).to_json() == action.to_dict()
    assert ActionArtifact(action).to_text() == "fetch({'url': 'x'})"


def test_annotations_show_only_what_is_stated() -> None:
    assert Annotations().to_dict() == {}
    assert Annotations(read_only=False, open_world=True).to_dict() == {
        "read_only": False,
        "open_world": True,
    }
