"""Lines are found as if each was searched by itself."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from agenthost_plugin_files.expressions import compiled, lines_with

TEXTS = st.text(alphabet="ab é\n", max_size=30)


def numbers(text: str, sought: str, *, is_regex: bool, ignore_case: bool = False) -> list[int]:
    expression = compiled(sought, is_regex=is_regex, ignore_case=ignore_case)
    found = lines_with(expression, text.encode(), lambda: True)
    return [number for number, _, _ in found]


def lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


@given(text=TEXTS, sought=st.text(alphabet="ab é.*^$\\", min_size=1, max_size=3))
def test_a_text_is_found_where_it_stands(text: str, sought: str) -> None:
    expected = [number for number, line in enumerate(lines(text), 1) if sought in line]

    assert numbers(text, sought, is_regex=False) == expected


@given(text=TEXTS, sought=st.sampled_from(["^a", "b$", "^$", "a*", r"\bb", "[^a]", "a.b", "^.?$"]))
def test_an_expression_is_found_in_the_lines_that_it_fits(text: str, sought: str) -> None:
    fits = re.compile(sought, re.ASCII)  # to RE2, words are of ASCII
    expected = [number for number, line in enumerate(lines(text), 1) if fits.search(line)]

    assert numbers(text, sought, is_regex=True) == expected


@given(text=TEXTS, sought=st.sampled_from(["A", "É", "Ab"]))
def test_letters_of_either_case_are_alike_where_that_is_asked(text: str, sought: str) -> None:
    expected = [n for n, line in enumerate(lines(text), 1) if sought.lower() in line]

    assert numbers(text, sought, is_regex=False, ignore_case=True) == expected
