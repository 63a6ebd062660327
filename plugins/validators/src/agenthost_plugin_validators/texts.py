"""Say what text an answer holds."""

from __future__ import annotations

from agenthost_sdk.artifacts import (
    AudioArtifact,
    BaseArtifact,
    ErrorArtifact,
    ImageArtifact,
    ImageUrlArtifact,
    ListArtifact,
    to_artifact,
)
from agenthost_sdk.validators import Verdict

#: What has words for a model, but none that an answer could be judged by.
_WITHOUT_TEXT = (AudioArtifact, ErrorArtifact, ImageArtifact, ImageUrlArtifact)


def text_of(output: BaseArtifact) -> str | None:
    """Return the text of an answer; of a list, that of those items that have one."""
    if isinstance(output, _WITHOUT_TEXT):
        return None
    if not isinstance(output, ListArtifact):
        return output.to_text()
    texts = [text for item in output.value if (text := text_of(to_artifact(item))) is not None]
    return "\n\n".join(texts) if texts else None


def no_text(output: BaseArtifact) -> Verdict:
    """Refuse an answer that has no text."""
    kind = "a list without any" if isinstance(output, ListArtifact) else f"of kind {output.type}"
    return Verdict.refuse(f"The answer must be text; this one is {kind}.")
