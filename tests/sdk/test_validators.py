"""What an output validator decides."""

from __future__ import annotations

import pytest

from agenthost_sdk.artifacts import BaseArtifact, TextArtifact
from agenthost_sdk.validators import BaseOutputValidator, Verdict


def test_a_verdict_accepts_replaces_or_refuses() -> None:
    accepted, refused = Verdict.accept(), Verdict.refuse("too long")
    replaced = Verdict.replace(TextArtifact("b"))

    assert (accepted.accepted, accepted.output, accepted.reason) == (True, None, "")
    assert (replaced.accepted, replaced.output) == (True, TextArtifact("b"))
    assert (refused.accepted, refused.output, refused.reason) == (False, None, "too long")


def test_a_validator_must_say_how_it_validates() -> None:
    class Empty(BaseOutputValidator):
        pass

    class Whole(BaseOutputValidator):
        def validate(self, output: BaseArtifact) -> Verdict:
            return Verdict.accept()

    with pytest.raises(TypeError, match="validate"):
        Empty()  # type: ignore[abstract]
    assert Whole().validate(TextArtifact("")).accepted
