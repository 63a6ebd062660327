"""Tell which kinds of documents are read, by what their servers call them."""

from __future__ import annotations

from dataclasses import dataclass
from email.message import Message
from typing import Literal

Kind = Literal["html", "text", "unknown", "other"]

_HTML = ("text/html", "application/xhtml+xml")

#: Text under other names than `text/…`, `…+json`, `…+xml` and `…+yaml`.
_TEXT = (
    "application/ecmascript",
    "application/javascript",
    "application/json",
    "application/ld+json",
    "application/toml",
    "application/x-javascript",
    "application/x-ndjson",
    "application/x-yaml",
    "application/xml",
    "application/yaml",
)


@dataclass(frozen=True)
class Medium:
    """What a server says of a document: its type, such as "text/html", and its charset."""

    type: str
    charset: str

    @property
    def kind(self) -> Kind:
        """How it is read; "other" is not."""
        if not self.type:
            return "unknown"
        if self.type in _HTML:
            return "html"
        is_text = self.type.startswith("text/") or self.type in _TEXT
        return "text" if is_text or self.type.endswith(("+json", "+xml", "+yaml")) else "other"


def medium_of(content_type: str) -> Medium:
    """Read the header `Content-Type`; what it does not say is ""."""
    message = Message()
    message["content-type"] = content_type if content_type.isprintable() else ""
    named = message.get_content_type() if "/" in content_type else ""
    try:
        charset = message.get_content_charset("")
    except (LookupError, ValueError):  # of RFC 2231, which nobody uses here
        charset = ""
    return Medium(named, charset)
