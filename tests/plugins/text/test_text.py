"""The tool for text as a model and as Python code use it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenthost_plugin_text.tool import Text
from agenthost_sdk import ErrorArtifact, JsonArtifact, ToolAction, ToolError
from agenthost_sdk.testing import ToolConformance

FAMILY = "👨\u200d👩\u200d👧"
E_ACUTE = "e\u0301"


class TestTextConforms(ToolConformance):
    """The tool does what hosts expect of one."""

    tool = Text


def run(path: str, **given: object) -> str:
    return Text().run(ToolAction("1", "Text", path, given)).to_text()


def test_count_tells_five_numbers() -> None:
    output = Text().run(ToolAction("1", "Text", "count", {"text": "Hello, big world!\nBye."}))

    assert isinstance(output, JsonArtifact)
    assert output.value == {
        "characters": 22,
        "characters_without_spaces": 19,
        "words": 4,
        "lines": 2,
        "sentences": 2,
    }


def test_an_empty_text_has_nothing() -> None:
    assert set(Text().count("").values()) == {0}


@pytest.mark.parametrize(
    ("text", "characters"),
    [
        ("abc", 3),
        (f"{E_ACUTE}a", 2),
        (FAMILY, 1),
        ("🇦🇹🇯🇵", 2),
        ("a\r\nb", 3),
        ("日本語", 3),
    ],
)
def test_a_character_is_what_a_reader_sees_as_one(text: str, characters: int) -> None:
    assert Text().count(text)["characters"] == characters


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The early bird", 3),
        ("well-known don't", 2),
        ("ok — fine", 2),
        ("... --- ...", 0),
        ("  spaced   out ", 2),
        ("one\ntwo\tthree", 3),
    ],
)
def test_words_stand_between_spaces(text: str, words: int) -> None:
    assert Text().count(text)["words"] == words


@pytest.mark.parametrize(
    ("text", "lines"),
    [("one", 1), ("one\n", 1), ("one\ntwo", 2), ("one\r\ntwo\r\n", 2), ("one\n\nthree", 3)],
)
def test_a_line_ends_at_its_break(text: str, lines: int) -> None:
    assert Text().count(text)["lines"] == lines


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("It rained. We stayed in.", 2),
        ("Dr. Smith came. He left.", 2),
        ("J. R. Tolkien wrote it.", 1),
        ("It costs 3.50 dollars, e.g. here.", 1),
        ('"Really?" she asked. Yes!', 2),
        ("Wait... what?", 1),
        ("no mark at the end", 1),
        ("First! Second? third", 2),
        ("日本語です。はい。", 2),
        ("...", 0),
    ],
)
def test_sentences_end_at_their_marks(text: str, sentences: int) -> None:
    assert Text().count(text)["sentences"] == sentences


@pytest.mark.parametrize(
    ("text", "case", "expected"),
    [
        ("good morning", "upper", "GOOD MORNING"),
        ("straße", "upper", "STRASSE"),
        ("STOP Now", "lower", "stop now"),
        ("the WIND in the willows", "title", "The Wind In The Willows"),
        ("don't 'quote' the 2nd", "title", "Don't 'Quote' The 2nd"),
        ("well-known thing", "title", "Well-Known Thing"),
        ("THE SHOP. IS CLOSED! why?", "sentence", "The shop. Is closed! Why?"),
        ('"HELLO" THERE', "sentence", '"Hello" there'),
        ("Customer First Name", "snake", "customer_first_name"),
        ("helloWorld FooBar2", "snake", "hello_world_foo_bar2"),
        ("HTTPServer error", "snake", "http_server_error"),
        ("don't stop, me", "snake", "dont_stop_me"),
        ("Blog Post: Title!", "kebab", "blog-post-title"),
        ("snake_case here", "kebab", "snake-case-here"),
        ("Über Ähre", "kebab", "über-ähre"),
        ("", "snake", ""),
    ],
)
def test_the_case_is_changed(text: str, case: str, expected: str) -> None:
    assert run("change_case", text=text, case=case) == expected


def test_an_unknown_case_is_refused_with_those_that_are_known() -> None:
    output = Text().run(ToolAction("1", "Text", "change_case", {"text": "a", "case": "camel"}))

    assert isinstance(output, ErrorArtifact)
    assert output.code == "invalid-input"
    assert "kebab" in output.to_text()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("lantern", "nretnal"),
        (f"a{E_ACUTE}{FAMILY}", f"{FAMILY}{E_ACUTE}a"),
        ("a\r\nb", "b\r\na"),
        ("", ""),
    ],
)
def test_a_text_is_turned_round_without_tearing_characters(text: str, expected: str) -> None:
    assert run("reverse", text=text) == expected


@given(st.text(alphabet=st.characters(codec="ascii", exclude_characters="\r")))
def test_turning_a_text_round_twice_gives_it_back(text: str) -> None:
    tool = Text()

    assert tool.reverse(tool.reverse(text)) == text


def test_every_occurrence_is_replaced() -> None:
    assert run("replace", text="a,b,c", find=",", replacement=";") == "a;b;c"
    assert run("replace", text="555-01-23", find="-", replacement="") == "5550123"
    assert run("replace", text="a.b", find=".", replacement=r"\0") == r"a\0b"


def test_a_piece_that_does_not_occur_is_named() -> None:
    shown = run("replace", text="The Cat sat.", find="cat", replacement="dog")

    assert shown == (
        "Nothing was replaced: 'cat' does not occur in the text."
        " The case counts: the text has 'Cat'."
    )
    with pytest.raises(ToolError, match="`find` is empty"):
        Text().replace("abc", "", "x")
