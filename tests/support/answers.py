"""Turn a reply of the loopback provider into the bytes of an answer, and say how they are sent."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Protocol

from support import chat_protocol, messages_protocol

Json = dict[str, Any]

_JSON, _STREAM = "application/json", "text/event-stream"


class ReplyProtocol(Protocol):
    """How one API writes replies; a module is one."""

    REQUEST_ID: str

    def answer(self, reply: Json, body: Json, /) -> Json:
        """Return the reply in one piece."""

    def events(self, reply: Json, body: Json, /) -> list[str]:
        """Return the reply as the events of a stream."""

    def failure(self, error: Json, request_id: str, /) -> Json:
        """Return an error as the body of an answer."""

    def failure_event(self, error: Json, /) -> str:
        """Return an error as an event of a stream."""


#: The protocols by the names of their APIs.
PROTOCOLS: dict[str, ReplyProtocol] = {"chat": chat_protocol, "messages": messages_protocol}


@dataclass(frozen=True)
class Answer:
    """What is sent: the status, the headers and the body, whole or as a stream."""

    status: int
    headers: dict[str, str]
    content: bytes

    @property
    def is_stream(self) -> bool:
        """Whether the body is a stream of events."""
        return self.headers["content-type"] == _STREAM


def answer(reply: Json, body: Json, api: str, request_id: str) -> Answer:
    """Return the answer to a request.

    Args:
        reply: What the provider has to say.
        body: The request.
        api: "chat" or "messages".
        request_id: What the provider calls the request, unless the reply says so itself.
    """
    protocol = PROTOCOLS[api]
    headers = {name.lower(): value for name, value in reply.get("headers", {}).items()}
    request_id = headers.setdefault(protocol.REQUEST_ID, request_id)
    kind, text = _text(protocol, reply, body, request_id)
    return Answer(reply.get("status", 200), {"content-type": kind, **headers}, text.encode())


def _text(protocol: ReplyProtocol, reply: Json, body: Json, request_id: str) -> tuple[str, str]:
    if reply.get("sse") is not None:
        return _STREAM, reply["sse"]
    if reply.get("response") is not None:
        return _JSON, json.dumps(reply["response"])
    if "error" in reply:
        return _JSON, json.dumps(protocol.failure(reply["error"], request_id))
    if body.get("stream"):
        return _STREAM, _stream(protocol, reply, body)
    return _JSON, json.dumps(protocol.answer(reply, body))


def _stream(protocol: ReplyProtocol, reply: Json, body: Json) -> str:
    events = protocol.events(reply, body)[: reply.get("ends_after")]
    if "stream_error" in reply:
        events.append(protocol.failure_event(reply["stream_error"]))
    return "".join(events)
