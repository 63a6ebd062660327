"""`one-of`: the answer is one of a few texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

from agenthost_plugin_validators.texts import no_text, text_of
from agenthost_sdk.artifacts import BaseArtifact, TextArtifact
from agenthost_sdk.errors import DefinitionError
from agenthost_sdk.validators import BaseOutputValidator, Verdict

#: What models put around a word that was asked for: quotes, emphasis, the end of a sentence.
_AROUND = " \t\r\n\"'`*.“”‘’"

#: How much of a wrong answer is shown.
_SHOWN = 60


class OneOf(BaseOutputValidator):
    """Accept an answer that is one of a few texts, and replace what differs little by that text.

    Case makes no difference, nor do white space, quotes, asterisks and full stops around the
    answer: `Yes.` is replaced by `yes`.

        OneOf(["yes", "no", "maybe"])
        OneOf("yes|no|maybe")

    Args:
        choices: The texts; or one text with a bar between them.

    Raises:
        DefinitionError: There are none, one is empty or no text, or two are the same.
    """

    name: ClassVar[str] = "one-of"
    parameters: ClassVar[str] = "TEXT|TEXT…"
    example: ClassVar[str] = "yes|no|maybe"

    def __init__(self, choices: Sequence[str] | str) -> None:
        listed = choices.split("|") if isinstance(choices, str) else choices
        self.choices = _checked(listed)
        bare = [(_bare(one).casefold(), one) for one in self.choices]
        counted = Counter(key for key, _ in bare)
        self._meant = {key: one for key, one in bare if key and counted[key] == 1}

    def validate(self, output: BaseArtifact) -> Verdict:
        """Look whether the answer is one of the choices."""
        text = text_of(output)
        if text is None:
            return no_text(output)
        if text in self.choices:
            return Verdict.accept()
        meant = self._choice(text)
        if meant is not None:
            return Verdict.replace(TextArtifact(meant, name=output.name, meta=output.meta))
        allowed = ", ".join(map(repr, self.choices))
        return Verdict.refuse(
            f"The answer is {_shown(text)}; it must be one of {allowed}, and nothing else."
        )

    def _choice(self, text: str) -> str | None:
        """Return the choice that a text differs little from."""
        for stripped in (text.strip(), _bare(text)):
            if stripped in self.choices:
                return stripped
        return self._meant.get(_bare(text).casefold())


def _checked(listed: Sequence[str]) -> tuple[str, ...]:
    choices = tuple(one.strip() if isinstance(one, str) else one for one in listed)
    if not choices or not all(isinstance(one, str) and one for one in choices):
        raise DefinitionError(f"{list(choices)!r} are no choices. Give texts that are not empty.")
    if len({*choices}) < len(choices):
        raise DefinitionError(f"A choice occurs twice in {list(choices)!r}.")
    return choices


def _bare(text: str) -> str:
    return text.strip(_AROUND)


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")
