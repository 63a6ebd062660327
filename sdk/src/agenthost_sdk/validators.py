"""The protocol of an output validator."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from agenthost_sdk.artifacts import BaseArtifact


@dataclass(frozen=True)
class Verdict:
    """What an output validator decided; make one with `accept`, `replace` or `refuse`."""

    accepted: bool
    output: BaseArtifact | None = None
    reason: str = ""

    @classmethod
    def accept(cls) -> Verdict:
        """Let the answer pass as it is."""
        return cls(True)

    @classmethod
    def replace(cls, output: BaseArtifact) -> Verdict:
        """Let another answer pass in its place."""
        return cls(True, output)

    @classmethod
    def refuse(cls, reason: str) -> Verdict:
        """Hand the answer back; the model reads the reason and tries again."""
        return cls(False, None, reason)


class BaseOutputValidator(ABC):
    """Decide whether an answer may leave the loop. A whole plugin:

        from agenthost_sdk import BaseArtifact, BaseOutputValidator, Verdict, hookimpl

        class Polite(BaseOutputValidator):
            '''Ask for a polite answer.'''

            def validate(self, output: BaseArtifact) -> Verdict:
                if "please" in output.to_text().lower():
                    return Verdict.accept()
                return Verdict.refuse("The answer must say please.")

        @hookimpl
        def agenthost_output_validators():
            return {"polite": Polite}

    A validator runs only where it was chosen, by name or as an object. One that raises ends the
    run with an error that names it: an answer that cannot be judged does not pass.

    One that takes parameters says so, and its class is called with them, as one text:

        class AtMost(BaseOutputValidator):
            '''Refuse an answer of more characters than that.'''

            parameters = "NUMBER"
            example = "100"

            def __init__(self, most: int | str) -> None:
                self.most = int(most)

            def validate(self, output: BaseArtifact) -> Verdict:
                length = len(output.to_text())
                if length <= self.most:
                    return Verdict.accept()
                return Verdict.refuse(f"{length} characters are too many; at most {self.most}.")

    With `{"at-most": AtMost}` a person writes `--validator at-most:100`: all that stands behind
    the first colon is the text. Raise `ValueError` or `DefinitionError` for one that cannot be
    read; the person is told your words, what the validator takes, and the example.
    """

    #: The validator's name in messages; the class's own name where it is not set.
    name: ClassVar[str] = ""

    #: What stands behind the colon of `NAME:PARAMETERS`, in a word or two, such as "PATTERN"; in
    #: square brackets where it may be left out. Where it is not set, the first argument that the
    #: class takes by position gives its name to it, and one that takes none takes no parameters.
    parameters: ClassVar[str] = ""

    #: Parameters as a person may write them, such as "^[A-Z]".
    example: ClassVar[str] = ""

    @abstractmethod
    def validate(self, output: BaseArtifact) -> Verdict:
        """Return whether the answer is accepted, replaced or refused."""
