"""The scenes of a misbehaving model, each a named way in which models and providers go wrong."""

from __future__ import annotations

from agenthost_sdk.testing.scenes import arguments, replies, streams, texts
from agenthost_sdk.testing.scenes.scene import DIALECTS, Outcome, Part, Scene

#: Every scene by name.
SCENES = {
    scene.name: scene
    for scene in (*arguments.SCENES, *replies.SCENES, *streams.SCENES, *texts.SCENES)
}

__all__ = ["DIALECTS", "SCENES", "Outcome", "Part", "Scene"]
