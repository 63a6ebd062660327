"""What the host expects of an output validator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from agenthost_sdk.artifacts import (
    BaseArtifact,
    BlobArtifact,
    ErrorArtifact,
    ImageArtifact,
    InfoArtifact,
    JsonArtifact,
    ListArtifact,
    TextArtifact,
    to_artifact,
)
from agenthost_sdk.testing.conformance.faults import none_of
from agenthost_sdk.validators import BaseOutputValidator, Verdict


class OutputValidatorConformance:
    """Hold an output validator against what the host expects of one.

    Name the class, or write `make_validator`; give outputs that it must accept and refuse.
    """

    validator: ClassVar[type[BaseOutputValidator]]
    accepted: ClassVar[Sequence[BaseArtifact | str]] = ()
    refused: ClassVar[Sequence[BaseArtifact | str]] = ()

    def make_validator(self) -> BaseOutputValidator:
        """Return the validator to be tested; called for each test."""
        return self.validator()

    def test_the_validator_is_described(self) -> None:
        """If it fails: write a docstring that says what the validator asks of an answer."""
        validator = self.make_validator()

        assert vars(type(validator)).get("__doc__"), f"{type(validator).__name__}: no docstring."

    def test_there_are_outputs_to_try(self) -> None:
        """If it fails: fill `accepted` and `refused` with at least one output each."""
        assert self.accepted
        assert self.refused

    def test_what_is_right_is_accepted(self) -> None:
        """If it fails: the validator refuses what `accepted` says it lets pass."""
        validator = self.make_validator()

        none_of(
            f"{output!r} is refused: {verdict.reason}"
            for output in self.accepted
            if not (verdict := validator.validate(to_artifact(output))).accepted
        )

    def test_what_is_wrong_is_refused_with_a_reason(self) -> None:
        """If it fails: write `Verdict.refuse(reason)`; the model reads the reason and mends."""
        validator = self.make_validator()
        verdicts = [validator.validate(to_artifact(output)) for output in self.refused]

        assert not any(verdict.accepted for verdict in verdicts), verdicts
        assert all(verdict.reason.strip() for verdict in verdicts), verdicts

    def test_no_output_makes_it_raise(self) -> None:
        """If it fails: look at the output through `to_text()`, which every artifact has, and
        return a `Verdict` for each; an exception is no reason that a model can act on.
        """
        validator = self.make_validator()

        assert all(isinstance(validator.validate(odd), Verdict) for odd in _ODD_OUTPUTS)

    def test_the_same_output_gets_the_same_verdict(self) -> None:
        """If it fails: the validator keeps a state; one validator serves many runs."""
        validator = self.make_validator()
        outputs = [*map(to_artifact, [*self.accepted, *self.refused]), *_ODD_OUTPUTS]

        once = [validator.validate(output).accepted for output in outputs]

        assert [validator.validate(output).accepted for output in outputs] == once


_ODD_OUTPUTS: tuple[BaseArtifact, ...] = (
    TextArtifact(""),
    TextArtifact(" \n"),
    TextArtifact("{{ 7 * 7 }} [\x00] \u202e"),
    InfoArtifact("noted"),
    ErrorArtifact("it failed"),
    JsonArtifact({"answer": [1, None]}),
    JsonArtifact(None),
    ListArtifact([]),
    BlobArtifact(b"\xff"),
    ImageArtifact(b"\x89PNG"),
)
