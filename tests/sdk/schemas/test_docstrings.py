"""What is read from docstrings in the three styles."""

from __future__ import annotations

import pytest

from agenthost_sdk.schemas.docstrings import read_docstring

WORDS = {"port": "Harbour name.", "zone": "Time zone of the answer."}

STYLES = {
    "google": """Look up the tide.

        Args:
            port (str): Harbour name.
            zone (str, optional): Time zone of
                the answer.

        Returns:
            int: The tide.
        """,
    "google without a blank line": """Look up the tide.
        Args:
            port: Harbour name.
            zone: Time zone of the answer.
        """,
    "google with keyword arguments": """Look up the tide.

        Arguments:
            port: Harbour name.
        Keyword Args:
            zone: Time zone of the answer.
        """,
    "google with a line out of form": """Look up the tide.

        Args:
            a stray line
            port: Harbour name.
            zone - Time zone of the answer.
        """,
    "numpy": """Look up the tide.

        Parameters
        ----------
        port : str
            Harbour name.

        Other Parameters
        ----------------
        zone : str, optional
            Time zone of the answer.

        Returns
        -------
        int
            The tide.
        """,
    "numpy with keyword arguments": """Look up the tide.
        Parameters
        ----------
        port
            Harbour name.

        Keyword Arguments
        -----------------
        zone: str
            Time zone of the answer.
        """,
    "sphinx": """Look up the tide.

        :param str port: Harbour name.
        :param zone: Time zone of
            the answer.
        :type zone: str
        :returns: The tide.
        """,
    "sphinx without a blank line": """Look up the tide.
        :param port: Harbour name.
        :keyword zone: Time zone of the answer.
        """,
    "epydoc": """Look up the tide.

        @param port: Harbour name.
        @param zone: Time zone of the answer.
        """,
}


@pytest.mark.parametrize("text", STYLES.values(), ids=STYLES)
def test_each_style_gives_the_description_and_those_of_the_parameters(text: str) -> None:
    read = read_docstring(text)

    assert read.description == "Look up the tide."
    assert {name: read.parameters[name] for name in WORDS} == WORDS


def test_lists_in_a_description_stay_lists() -> None:
    read = read_docstring("Do.\n\nArgs:\n    mode: One\n      of:\n      - fast\n      - slow\n")

    assert read.parameters == {"mode": "One of:\n- fast\n- slow"}


def test_names_that_share_a_line_share_its_words() -> None:
    read = read_docstring("Add.\n\nParameters\n----------\na, b : int\n    A number.\n")

    assert read.parameters == {"a": "A number.", "b": "A number."}


@pytest.mark.parametrize(
    "text",
    [
        "Set the time as HH:MM: now.\n\nExample: call f(1).\nUsage: good.",
        "Do this.\n\n- one\n- two:\n    deeper",
        "Do :class:`this`.\n\n:class:`That` is for others.",
        "Note: it is slow.\n\nNote:\n    It is very slow.",
    ],
)
def test_text_that_only_looks_like_a_section_stays(text: str) -> None:
    assert read_docstring(text).description == text


def test_nothing_is_read_from_nothing() -> None:
    assert read_docstring(None).description == ""
    assert read_docstring("\n   ").parameters == {}


def test_a_docstring_of_arguments_alone_has_no_description() -> None:
    read = read_docstring("""
        Args:
            a: The a.
        """)

    assert (read.description, read.parameters) == ("", {"a": "The a."})


def test_the_lines_of_a_paragraph_are_joined() -> None:
    read = read_docstring("""
        Count the units on hand
        in the warehouse.

        Reserved units
        count too.

        Args:
            sku: A unit, such
                as "AB".

                It is printed
                on the box.
        """)

    assert read.description == (
        "Count the units on hand in the warehouse.\n\nReserved units count too."
    )
    assert read.parameters == {"sku": 'A unit, such as "AB".\n\nIt is printed on the box.'}


@pytest.mark.parametrize(
    "text",
    [
        "Do:\n\n- one\n  and more\n- two\n\n1. first\n2) second\na) third\n• last",
        "Do:\n\n    x = 1\n    y = 2\n\nThen stop.",
        "Do:\n\n```\nx = 1\ny = 2\n```",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "Title\n=====\n\n# Heading\n\n> quote\n> goes on\n\n>>> f(1)\n2",
    ],
    ids=["lists", "indented", "fenced", "table", "marks"],
)
def test_lists_tables_and_code_keep_their_lines(text: str) -> None:
    assert read_docstring(text).description == text


@pytest.mark.parametrize(
    "text",
    [
        "Do.\n\nArgs:\na: The a.\nb: The b.",
        "Do.\r\n\r\nArgs:\r\n    a: The a.\r\n    b: The b.\r\n",
    ],
    ids=["not indented", "lines end as on Windows"],
)
def test_arguments_that_are_written_carelessly_are_read_all_the_same(text: str) -> None:
    read = read_docstring(text)

    assert (read.description, read.parameters) == ("Do.", {"a": "The a.", "b": "The b."})
