"""Write what a user shows the model, and what belongs to a result, as parts of a message."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from agenthost_plugin_openai.profiles import Documents
from agenthost_sdk.artifacts import (
    BlobArtifact,
    DocumentArtifact,
    GenericArtifact,
    ImageArtifact,
    ImageUrlArtifact,
)
from agenthost_sdk.messages import (
    AudioMessageContent,
    BaseMessageContent,
    DocumentMessageContent,
    GenericMessageContent,
    ImageMessageContent,
    TextMessageContent,
)
from agenthost_sdk.wire import written

Json = dict[str, Any]

#: Whose the blocks must be that are sent as they are.
PROVIDER = "openai"

# The media subtypes that the provider takes, as it calls them.
_PICTURES = {"png": "png", "jpeg": "jpeg", "jpg": "jpeg", "gif": "gif", "webp": "webp"}
_SOUNDS = {"wav": "wav", "x-wav": "wav", "mp3": "mp3", "mpeg": "mp3"}

#: An address that leads to a picture: one on the web, or the picture itself.
_ADDRESS = re.compile(r"https?://[^/\s]|data:image/(?:png|jpe?g|gif|webp);base64,.")

#: Documents that are text, and so can be said.
_TEXTS = frozenset(("plain", "markdown", "csv", "html", "xml", "json"))


def content(blocks: Iterable[BaseMessageContent], documents: Documents) -> str | list[Json]:
    """Return the content of a user's message: one text as it is, else a list of parts.

    Args:
        blocks: What is said. Blocks of another provider, and empty ones, are left out; what the
            provider takes in no form is said in words.
        documents: How the server takes documents.
    """
    made = list(_parts(blocks, documents))
    if len(made) == 1 and made[0]["type"] == "text" and set(made[0]) == {"type", "text"}:
        return str(made[0]["text"])
    return made


def is_text(document: DocumentArtifact) -> bool:
    """Return whether a document is text, and so can be said."""
    return document.format in _TEXTS


def _parts(blocks: Iterable[BaseMessageContent], documents: Documents) -> Iterator[Json]:
    for block in blocks:
        if isinstance(block, TextMessageContent):
            made = _text(block.text)
        elif isinstance(block, ImageMessageContent):
            made = _picture(block.artifact)
        elif isinstance(block, AudioMessageContent):
            made = _sound(block)
        elif isinstance(block, DocumentMessageContent):
            made = _document(block.artifact, documents)
        elif isinstance(block, GenericMessageContent):
            made = _own(block.value) if block.provider in ("", PROVIDER) else None
        else:
            made = _text(block.to_text())
        if made is not None:
            yield made


def _text(words: str) -> Json | None:
    return {"type": "text", "text": words} if words else None


def _picture(picture: ImageArtifact | ImageUrlArtifact) -> Json | None:
    if isinstance(picture, ImageUrlArtifact):
        url = _fetched_from(picture.value)
    else:
        format = _PICTURES.get(picture.format.lower()) if picture.value else None
        url = f"data:image/{format};base64,{_base64(picture.value)}" if format else ""
    if not url:
        return _text(picture.to_text())
    return {"type": "image_url", "image_url": {"url": url}}


def _fetched_from(address: str) -> str:
    """Return an address with its scheme in small letters; "" where no picture can be there."""
    scheme, colon, rest = address.partition(":")
    found = f"{scheme.lower()}{colon}{rest}"
    return found if _ADDRESS.match(found) else ""


def _sound(block: AudioMessageContent) -> Json | None:
    format = _SOUNDS.get(block.artifact.format.lower())
    if format is None or not block.artifact.value:
        return _text(block.to_text())
    data = _base64(block.artifact.value)
    return {"type": "input_audio", "input_audio": {"data": data, "format": format}}


def _document(document: DocumentArtifact, how: Documents) -> Json | None:
    if is_text(document):
        return _text(BlobArtifact(document.value).to_text())
    if document.format != "pdf" or how == "words" or not document.value:
        return _text(document.to_text())
    url = f"data:application/pdf;base64,{_base64(document.value)}"
    if how == "document_url":
        return {"type": "document_url", "document_url": url}
    name = document.name or "document.pdf"
    return {"type": "file", "file": {"filename": name, "file_data": url}}


def _own(value: Any) -> Json | None:
    """Return a part that only this provider knows; as text where it is none.

    What a part says stands under the name of its kind, and would be missed by the provider.
    """
    kind = value.get("type") if isinstance(value, Mapping) else None
    if kind == "text" and not (isinstance(words := value.get("text"), str) and words):
        return None
    if isinstance(kind, str) and value.get(kind):
        try:
            written(part := dict(value))
        except (TypeError, ValueError, RecursionError):
            pass  # it came from a tool, and was not meant as one
        else:
            return part
    return _text(GenericArtifact(value).to_text())


def _base64(value: bytes) -> str:
    return base64.b64encode(value).decode("ascii")
