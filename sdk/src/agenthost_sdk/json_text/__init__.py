"""Read JSON as models write it: strict JSON as it stands, damaged JSON where one reading is left.

    read_json('{"a": 1}').value                        {"a": 1}
    read_json("```json\n{'a': 1,}\n```", "object")     the same, and `repairs` says what was done
    read_json('{"a": [1, 2', "object")                 UnreadableJson, its reason "truncated"

The way of a text: strict reading; cut off the reasoning, look into fences and prose (`finding`);
rewrite what is damaged (`mending`, `strings`); put quotes right with a library (`requoting`).
Nothing is completed, dropped or merged: what cannot be read whole is refused, with words for the
model. Time grows in proportion to the length of the text.
"""

from __future__ import annotations

from agenthost_sdk.json_text.reading import JsonText, read_json, read_json_at
from agenthost_sdk.json_text.strict import sound_object
from agenthost_sdk.json_text.unreadable import Reason, UnreadableJson, Want

__all__ = [
    "JsonText",
    "Reason",
    "UnreadableJson",
    "Want",
    "read_json",
    "read_json_at",
    "sound_object",
]
