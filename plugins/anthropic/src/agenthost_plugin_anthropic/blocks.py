"""Write a message's blocks as the blocks of a request: text, media, and the provider's own."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from typing import Any

from agenthost_plugin_anthropic.written import Json
from agenthost_sdk.artifacts import (
    NOTHING,
    BaseArtifact,
    DocumentArtifact,
    GenericArtifact,
    ImageArtifact,
    ImageUrlArtifact,
)
from agenthost_sdk.messages import (
    BaseMessageContent,
    DocumentMessageContent,
    GenericMessageContent,
    ImageMessageContent,
    ReasoningMessageContent,
    Role,
    contents,
)
from agenthost_sdk.wire import written

#: The provider that a block's own form must name to be sent back.
PROVIDER = "anthropic"

# The pictures that the API takes; the subtype "jpg" is what many call JPEG.
_PICTURES = {"png": "png", "jpeg": "jpeg", "jpg": "jpeg", "gif": "gif", "webp": "webp"}

_DATA_URL = re.compile(r"data:image/([a-z]+);base64,([A-Za-z0-9+/=]+)")

# Blocks of the provider's own that only one side may say; what else it has, either may, but for
# the results of its tools. A user's or a tool's dictionary with another `type` is mere data.
_OF_USER = frozenset(("image", "document", "search_result", "container_upload"))
_OF_ASSISTANT = frozenset(("server_tool_use", "mcp_tool_use", "compaction"))
# Those that have contents of their own in the sdk: as they stand they would break the order.
_NOT_GENERIC = frozenset(("tool_use", "tool_result", "thinking", "redacted_thinking"))
_IN_RESULTS = frozenset(("text", "image", "document", "search_result", "tool_reference"))
# What a block of the user's must have, or a tool's; without it a dictionary is mere data.
_NEEDED = {
    "image": "source",
    "document": "source",
    "search_result": "source",
    "container_upload": "file_id",
    "tool_reference": "tool_name",
}


def block_of(role: Role, content: BaseMessageContent) -> bytes | None:
    """Return what is neither a call nor a result as a block; None where nothing is to be sent.

    What the API does not take from that role is said in words; thoughts that are not its own, and
    what only another provider knows, are left out.
    """
    if isinstance(content, GenericMessageContent):
        return _own(role, content)
    if isinstance(content, ReasoningMessageContent):
        return _thoughts(content) if role == "assistant" else None
    if role == "user" and (medium := _medium(content)) is not None:
        return written(medium)
    return text_block(content.to_text())


def text_block(text: str) -> bytes | None:
    """Return a text as a block; None where it says nothing, which the API refuses."""
    return written({"type": "text", "text": text}) if text.strip() else None


def result_blocks(output: BaseArtifact) -> list[bytes]:
    """Return what came of a call as the blocks of its result: at least one."""
    found = [_in_result(content) for content in contents(output)]
    return [block for block in found if block is not None] or [
        written({"type": "text", "text": NOTHING})
    ]


def failure_blocks(output: BaseArtifact) -> tuple[list[bytes], list[bytes]]:
    """Return what came of a failed call: the blocks of its result, and those to show beside it.

    The API takes nothing but text in the result of a call that failed.
    """
    found = contents(output)
    shown = [written(medium) for one in found if (medium := _medium(one)) is not None]
    words = [_told(content) for content in found if _medium(content) is None]
    said = [block for block in words if block is not None]
    return said or [written({"type": "text", "text": NOTHING})], shown


def served_use(content: BaseMessageContent) -> str:
    """Return the id where a block is the use of a tool that the provider runs itself; else ""."""
    return _name_in(content, "_tool_use", "id")


def served_result(content: BaseMessageContent) -> str:
    """Return the id of the use whose result a block is, of a tool that the provider ran."""
    return _name_in(content, "_tool_result", "tool_use_id")


def _name_in(content: BaseMessageContent, ending: str, field: str) -> str:
    if not isinstance(content, GenericMessageContent) or content.provider != PROVIDER:
        return ""
    return str(content.value.get(field) or "") if _kind(content.value).endswith(ending) else ""


def _thoughts(content: ReasoningMessageContent) -> bytes | None:
    """Return thoughts as they came; None where they are not the provider's own, or unsigned."""
    value = content.value
    if content.provider != PROVIDER or not isinstance(value, Mapping):
        return None
    if value.get("type") == "thinking" and value.get("signature"):
        return _as_it_is(value)
    if value.get("type") == "redacted_thinking" and value.get("data"):
        return _as_it_is(value)
    return None


def _told(content: BaseMessageContent) -> bytes | None:
    """Return what is no medium in words; None where it says nothing."""
    if not isinstance(content, GenericMessageContent):
        return text_block(content.to_text())
    is_ours = content.provider in ("", PROVIDER)
    return text_block(GenericArtifact(content.value).to_text()) if is_ours else None


def _in_result(content: BaseMessageContent) -> bytes | None:
    if isinstance(content, GenericMessageContent):
        if content.provider not in ("", PROVIDER):
            return None
        kind = _kind(content.value)
        if kind == "text" and not _says_something(content.value):
            return None
        own = _as_it_is(content.value) if kind in _IN_RESULTS else None
        return own or _told(content)
    medium = _medium(content)
    return text_block(content.to_text()) if medium is None else written(medium)


def _own(role: Role, content: GenericMessageContent) -> bytes | None:
    """Return a block of the provider's own; as text where it is a tool's or the user's data."""
    kind, value = _kind(content.value), content.value
    if content.provider not in ("", PROVIDER) or kind in _NOT_GENERIC:
        return None
    if kind == "text":
        return _as_it_is(value) if _says_something(value) else None
    if not content.provider and kind not in _OF_USER:
        return text_block(GenericArtifact(value).to_text())
    return _as_it_is(value) if kind and _may_say(role, kind) else None


def _says_something(text: Mapping[str, Any]) -> bool:
    words = text.get("text")
    return isinstance(words, str) and bool(words.strip())


def _may_say(role: Role, kind: str) -> bool:
    """Return whether a role may say a block of the provider's own; of the system's all is text."""
    if role == "user":
        return kind not in _OF_ASSISTANT and not kind.endswith("_tool_result")
    return role == "assistant" and kind not in _OF_USER


def _kind(value: Any) -> str:
    """Return the kind of a block of the provider's own; "" where a value is none."""
    kind = value.get("type") if isinstance(value, Mapping) else None
    if not isinstance(kind, str):
        return ""
    return kind if value.get(_NEEDED.get(kind, "type")) else ""


def _as_it_is(value: Mapping[str, Any]) -> bytes | None:
    try:
        return written(dict(value))
    except (TypeError, ValueError, RecursionError):  # it holds what JSON has no word for
        return None


def _medium(content: BaseMessageContent) -> Json | None:
    """Return a picture or a document as a block; None where the API takes none of its kind."""
    if isinstance(content, ImageMessageContent):
        source = _picture(content.artifact)
        return None if source is None else {"type": "image", "source": source}
    if isinstance(content, DocumentMessageContent):
        return _document(content.artifact)
    return None


def _picture(artifact: ImageArtifact | ImageUrlArtifact) -> Json | None:
    if isinstance(artifact, ImageUrlArtifact):
        if artifact.value.startswith(("https://", "http://")):
            return {"type": "url", "url": artifact.value}
        found = _DATA_URL.fullmatch(artifact.value)
        return _inline(found[1], found[2]) if found else None
    return _inline(artifact.format.lower(), _base64(artifact.value))


def _inline(format: str, data: str) -> Json | None:
    return _data(f"image/{_PICTURES[format]}", data) if data and format in _PICTURES else None


def _document(artifact: DocumentArtifact) -> Json | None:
    titled = {"title": artifact.name} if artifact.name.strip() else {}
    if artifact.format == "pdf" and artifact.value:
        source = _data("application/pdf", _base64(artifact.value))
        return {"type": "document", "source": source, **titled}
    if artifact.format == "plain" and (text := artifact.to_text()).strip():
        source = {"type": "text", "media_type": "text/plain", "data": text}
        return {"type": "document", "source": source, **titled}
    return None


def _data(media_type: str, data: str) -> Json:
    return {"type": "base64", "media_type": media_type, "data": data}


def _base64(value: bytes) -> str:
    return base64.b64encode(value).decode("ascii")
