"""`length`: the answer has so many characters or words."""

from __future__ import annotations

import re
from typing import ClassVar, Literal

from agenthost_plugin_validators.texts import no_text, text_of
from agenthost_sdk.artifacts import BaseArtifact
from agenthost_sdk.errors import DefinitionError
from agenthost_sdk.validators import BaseOutputValidator, Verdict

#: What is counted.
Unit = Literal["characters", "words"]

_RANGE = re.compile(
    r"\s*(?P<least>[0-9]{1,9})?\s*(?P<dash>-)?\s*(?P<most>[0-9]{1,9})?\s*(?P<unit>[a-z]+)?\s*"
)

_UNITS: dict[str, Unit] = {
    "characters": "characters",
    "character": "characters",
    "words": "words",
    "word": "words",
}


class Length(BaseOutputValidator):
    """Accept an answer that is neither too short nor too long.

    Counted are characters (code points, as JSON Schema counts them), without the white space
    around the answer; or words, which stand between white space and have a letter or a digit.

        Length(most=280)
        Length(least=10, most=50, unit="words")
        Length("10-50 words")

    Args:
        parameters: "MIN-MAX", "MIN-" or "MAX", with "words" behind it where words are counted;
            in place of the other arguments.
        least: How many there must be.
        most: How many there may be; without it, any number.
        unit: What is counted.

    Raises:
        DefinitionError: The parameters cannot be read, there is no bound, or none that can be met.
    """

    name: ClassVar[str] = "length"
    parameters: ClassVar[str] = "MIN-MAX[ words]"
    example: ClassVar[str] = "10-50 words"

    def __init__(
        self,
        parameters: str | None = None,
        *,
        least: int = 0,
        most: int | None = None,
        unit: Unit = "characters",
    ) -> None:
        if parameters is not None:
            least, most, unit = _read(parameters)
        self.least, self.most, self.unit = _checked(least, most, unit)

    def validate(self, output: BaseArtifact) -> Verdict:
        """Count what the answer has."""
        text = text_of(output)
        if text is None:
            return no_text(output)
        length = len(text.strip()) if self.unit == "characters" else _words(text)
        if self.least <= length and (self.most is None or length <= self.most):
            return Verdict.accept()
        change = "Lengthen" if length < self.least else "Shorten"
        return Verdict.refuse(
            f"The answer has a length of {length} {self.unit}; {self._allowed()}. {change} it."
        )

    def _allowed(self) -> str:
        bounds = [f"at least {self.least}"] if self.least else []
        bounds += [f"at most {self.most}"] if self.most is not None else []
        return f"{' and '.join(bounds)} {'is' if len(bounds) == 1 else 'are'} allowed"


def _read(parameters: str) -> tuple[int, int | None, Unit]:
    found = _RANGE.fullmatch(parameters)
    unit = _UNITS.get(found["unit"] or "characters") if found else None
    if found is None or unit is None or not (found["least"] or found["most"]):
        raise DefinitionError(
            f"{parameters!r} is no length. Write MIN-MAX, MIN- or MAX in whole numbers, and"
            " ' words' behind it where words are counted."
        )
    least, most = found["least"], found["most"]
    if not found["dash"]:  # one number alone
        least, most = None, least
    return int(least or 0), None if most is None else int(most), unit


def _checked(least: int, most: int | None, unit: Unit) -> tuple[int, int | None, Unit]:
    if unit not in ("characters", "words"):
        raise DefinitionError(f"A length is counted in 'characters' or 'words', not in {unit!r}.")
    if least < 0 or (most is not None and most < 1):
        raise DefinitionError(f"No answer can be of a length from {least} to {most}.")
    if most is None and not least:
        raise DefinitionError("A length needs a bound: the least, the most, or both.")
    if most is not None and least > most:
        raise DefinitionError(f"No answer is at least {least} and at most {most} {unit} long.")
    return least, most, unit


def _words(text: str) -> int:
    return sum(any(map(str.isalnum, part)) for part in text.split())
