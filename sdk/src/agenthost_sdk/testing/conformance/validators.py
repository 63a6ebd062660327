"""What the host expects of an output validator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from agenthost_sdk.artifacts import BaseArtifact, to_artifact
from agenthost_sdk.testing.conformance.declared import declared
from agenthost_sdk.testing.conformance.faults import none_of
from agenthost_sdk.testing.conformance.odd_outputs import ODD_OUTPUTS
from agenthost_sdk.validators import BaseOutputValidator, Verdict


class OutputValidatorConformance:
    """Hold an output validator against what the host expects of one.

    Name the class, or write `make_validator` where it takes arguments; give outputs that it must
    accept and refuse:

        class TestAtMost(OutputValidatorConformance):
            validator = AtMost
            accepted = ("short",)
            refused = ("very long" * 50,)

            def make_validator(self):
                return AtMost(100)
    """

    validator: ClassVar[type[BaseOutputValidator]]
    accepted: ClassVar[Sequence[BaseArtifact | str]] = ()
    refused: ClassVar[Sequence[BaseArtifact | str]] = ()

    def make_validator(self) -> BaseOutputValidator:
        """Return the validator to be tested; called for each test."""
        made: BaseOutputValidator = declared(self, "validator")()
        return made

    def test_the_validator_is_described(self) -> None:
        """If it fails: write a docstring that says what the validator asks of an answer."""
        validator = self.make_validator()

        assert vars(type(validator)).get("__doc__"), f"{type(validator).__name__}: no docstring."

    def test_there_are_outputs_to_try(self) -> None:
        """If it fails: fill `accepted` and `refused` with at least one output each."""
        assert self.accepted, "`accepted` is empty."
        assert self.refused, "`refused` is empty."

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

        none_of(
            f"{output!r:.80} is accepted."
            for output, verdict in zip(self.refused, verdicts, strict=True)
            if verdict.accepted
        )
        none_of(
            f"{output!r:.80} is refused without a reason."
            for output, verdict in zip(self.refused, verdicts, strict=True)
            if not verdict.reason.strip()
        )

    def test_no_output_makes_it_raise(self) -> None:
        """If it fails: look at the output through `to_text()`, which every artifact has, and
        return a `Verdict` for each; an exception is no reason that a model can act on.
        """
        validator = self.make_validator()

        none_of(
            f"{odd!r:.80} gives {verdict!r}, which is no Verdict."
            for odd in ODD_OUTPUTS
            if not isinstance(verdict := validator.validate(odd), Verdict)
        )

    def test_an_odd_output_is_refused_with_a_reason_if_it_is_refused(self) -> None:
        """If it fails: give a reason for outputs that are no text too, such as images."""
        validator = self.make_validator()

        none_of(
            f"{odd!r:.80} is refused without a reason."
            for odd in ODD_OUTPUTS
            if not (verdict := validator.validate(odd)).accepted and not verdict.reason.strip()
        )

    def test_what_it_puts_in_place_of_an_output_it_accepts_itself(self) -> None:
        """If it fails: replace an output by one that is right, so that it can be given twice."""
        validator = self.make_validator()
        replaced = [
            verdict.output
            for output in map(to_artifact, self.accepted)
            if (verdict := validator.validate(output)).output is not None
        ]

        none_of(
            f"{output!r} is what it gives itself, and is refused: {verdict.reason}"
            for output in replaced
            if not (verdict := validator.validate(to_artifact(output))).accepted
        )

    def test_the_same_output_gets_the_same_verdict(self) -> None:
        """If it fails: the validator keeps a state; one validator serves many runs."""
        validator = self.make_validator()
        outputs = [*map(to_artifact, [*self.accepted, *self.refused]), *ODD_OUTPUTS]

        once = [validator.validate(output).accepted for output in outputs]

        again = [validator.validate(output).accepted for output in outputs]
        none_of(
            f"{output!r:.80} is {'accepted' if then else 'refused'} once, and then not again."
            for output, then, now in zip(outputs, once, again, strict=True)
            if then != now
        )

    def test_its_example_is_one_that_it_can_be_made_of(self) -> None:
        """If it fails: write as `example` what may stand behind the colon of `NAME:PARAMETERS`."""
        made = type(self.make_validator())
        if made.parameters:
            assert made.example, f"{made.__name__} takes {made.parameters} and shows no example."
            factory: Callable[[str], BaseOutputValidator] = made
            assert isinstance(factory(made.example), made)
