"""Outputs of every kind, among them those that an author rarely thinks of."""

from __future__ import annotations

from agenthost_sdk.artifacts import (
    AudioArtifact,
    BaseArtifact,
    BlobArtifact,
    BooleanArtifact,
    ErrorArtifact,
    GenericArtifact,
    ImageArtifact,
    ImageUrlArtifact,
    InfoArtifact,
    JsonArtifact,
    ListArtifact,
    TextArtifact,
)

#: What an activity gives, an answer is, or a validator puts in its place, can be any artifact.
ODD_OUTPUTS: tuple[BaseArtifact, ...] = (
    TextArtifact(""),
    TextArtifact(" \n"),
    TextArtifact("{{ 7 * 7 }} [\x00] \u202e"),
    TextArtifact("[" * 100_000),
    TextArtifact("a" * 100_000),
    InfoArtifact("noted"),
    ErrorArtifact("it failed"),
    ErrorArtifact(""),
    BooleanArtifact(False),
    JsonArtifact({"answer": [1, None]}),
    JsonArtifact(None),
    JsonArtifact(float("nan")),
    ListArtifact([]),
    ListArtifact([TextArtifact("a"), ImageArtifact(b"\x89PNG")]),
    BlobArtifact(b""),
    BlobArtifact(b"\xff"),
    ImageArtifact(b"\x89PNG"),
    ImageUrlArtifact("https://example.org/a.png"),
    AudioArtifact(b"RIFF"),
    GenericArtifact(object()),
)
