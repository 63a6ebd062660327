"""`regex`: a pattern must be found in the answer."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, ClassVar

from agenthost_plugin_validators.texts import no_text, text_of
from agenthost_sdk.artifacts import BaseArtifact
from agenthost_sdk.errors import DefinitionError
from agenthost_sdk.validators import BaseOutputValidator, Verdict

if TYPE_CHECKING:
    import regex

#: Seconds for one search. Patterns such as `(x+x+)+y` take for ever on some texts; the package
#: regex, which reads the patterns of Python's `re`, can be told to give up, and `re` cannot.
_MOST_SECONDS = 2.0


class Regex(BaseOutputValidator):
    """Accept an answer in which a regular expression is found.

    The pattern is searched for as it is written: `^` and `$` bind it to the ends of the answer,
    `(?m)` in front of it to those of a line, and `(?i)` makes letters of either case alike.

        Regex(r"^[A-Z]")

    Args:
        pattern: A pattern as Python's `re` has it, or as the package regex extends it.

    Raises:
        DefinitionError: It is empty, or no pattern.
    """

    name: ClassVar[str] = "regex"
    parameters: ClassVar[str] = "PATTERN"
    example: ClassVar[str] = "^[A-Z]"

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self._compiled = _compiled(pattern)

    def validate(self, output: BaseArtifact) -> Verdict:
        """Search for the pattern in the answer's text, for two seconds at most."""
        text = text_of(output)
        if text is None:
            return no_text(output)
        try:
            found = self._compiled.search(text, timeout=_MOST_SECONDS)
        except (TimeoutError, MemoryError):
            return Verdict.refuse(
                f"Whether the regular expression {self.pattern} is found in the answer could not"
                f" be told within {_MOST_SECONDS:g} seconds. Give a shorter, simpler answer."
            )
        if found:
            return Verdict.accept()
        return Verdict.refuse(
            f"The regular expression {self.pattern} must be found in the answer, and is not."
        )


def _compiled(pattern: str) -> regex.Pattern[str]:
    import regex  # its import takes longer than everything else here

    if not isinstance(pattern, str) or not pattern:
        raise DefinitionError(
            f"A regular expression is a text that is not empty, not {pattern!r}."
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what future versions may read otherwise
            return regex.compile(pattern, cache_pattern=False)
    except (regex.error, OverflowError, ValueError) as error:
        raise DefinitionError(f"{pattern!r} is no regular expression: {error}.") from error
    except RecursionError as error:
        raise DefinitionError("The regular expression is nested too deeply.") from error
