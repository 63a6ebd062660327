"""An answer holds the result, and no figure that nobody gave."""

from __future__ import annotations

import pytest

from agenthost_plugin_local.answers import checked, failure, needs_sentence, plain, plain_result
from agenthost_sdk.artifacts import ErrorArtifact, JsonArtifact, TextArtifact

COUNTS = JsonArtifact({"characters": 21, "characters_without_spaces": 18, "words": 4})


@pytest.mark.parametrize(
    ("sentence", "answer"),
    [
        ("23 times 19 is 437.", "23 times 19 is 437."),
        ("23 times 19 is 4370.", "The result is 437."),
        ("It is 437, or 500 with tax.", "The result is 437."),
        ("437", "The result is 437."),
        ("It is a large number.", "The result is 437."),
        ("437 is not possible.", "The result is 437."),
        ("It can't be 437.", "The result is 437."),
    ],
)
def test_a_sentence_is_kept_only_if_it_holds_the_result_and_no_other_figure(
    sentence: str, answer: str
) -> None:
    assert checked(sentence, "What is 23 times 19?", "437") == answer


def test_of_several_values_the_one_that_the_question_names_is_told() -> None:
    assert plain_result(COUNTS, "How many words are in 'the characters on paper'?") == "4"
    assert plain_result(COUNTS, "How many characters has it?") == "21"


def test_all_values_are_told_where_the_question_names_none() -> None:
    told = plain_result(COUNTS, "How long is it?")

    assert told == "characters: 21; characters without spaces: 18; words: 4"


def test_a_result_in_words_is_the_answer_itself() -> None:
    result = plain_result(TextArtifact("26 miles = 41.8 kilometers"), "?")

    assert not needs_sentence(result)
    assert plain(result) == "26 miles = 41.8 kilometers"


def test_a_bare_text_is_told_without_the_model() -> None:
    assert not needs_sentence("desserts")
    assert plain("desserts") == "The result is desserts."


def test_a_result_that_is_a_sentence_stands_as_it_is() -> None:
    assert plain("Written for 2026-06-02.") == "Written for 2026-06-02."


def test_an_empty_result_is_told_as_such() -> None:
    assert plain("") == "It is done; the tool returned nothing."


def test_an_error_is_said_plainly() -> None:
    assert failure(ErrorArtifact("No unit 'foo'.")) == "The tool could not do that: No unit 'foo'."
