"""The tool that models see: four activities on text."""

from __future__ import annotations

from agenthost_plugin_text import changing, counting, examples
from agenthost_plugin_text.changing import Case
from agenthost_sdk import BaseTool, activity


class Text(BaseTool):
    """Count and change text: length, words, case, order, replacements."""

    @activity(
        read_only=True,
        idempotent=True,
        open_world=False,
        examples=examples.COUNT,
    )
    def count(self, text: str) -> dict[str, int]:
        """Count the characters, words, lines and sentences of a text.

        A character is what a reader sees as one, whatever its encoding; words stand between
        spaces.

        Args:
            text: The text to count, just as it is, without quotation marks round it.
        """
        return counting.count(text)

    @activity(
        read_only=True,
        idempotent=True,
        open_world=False,
        examples=examples.CHANGE_CASE,
    )
    def change_case(self, text: str, case: Case) -> str:
        """Change the case of a text.

        Args:
            text: The text to change.
            case: "upper" for CAPITAL LETTERS, "lower" for small letters, "title" for Each Word
                Capitalized, "sentence" for Only the first word, "snake" for words_like_this,
                "kebab" for words-like-this.
        """
        return changing.change_case(text, case)

    @activity(
        read_only=True,
        idempotent=True,
        open_world=False,
        examples=examples.REVERSE,
    )
    def reverse(self, text: str) -> str:
        """Turn a text round, last character first.

        Args:
            text: The text to turn round.
        """
        return changing.reverse(text)

    @activity(
        read_only=True,
        idempotent=True,
        open_world=False,
        examples=examples.REPLACE,
    )
    def replace(self, text: str, find: str, replacement: str) -> str:
        """Replace every occurrence of a piece of text.

        Args:
            text: The text to change.
            find: The piece to replace, as it stands in the text; its case counts.
            replacement: What to put in its place; empty to remove the piece.
        """
        return changing.replace(text, find, replacement)
