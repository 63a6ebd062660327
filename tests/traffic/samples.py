"""Small exchanges of our own, for what each protocol can say; in the form of the recordings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from support import chat_protocol, messages_protocol

Json = dict[str, Any]

_SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}

CALLS = [
    {"id": "call_a", "name": "weather", "input": {"city": "Tromsø", "deep": {"n": [1, None]}}},
    {"id": "call_b", "name": "clock", "input": {}},
]

#: A request of each protocol that uses much of what it allows.
CHAT_REQUEST: Json = {
    "model": "m",
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "Weather?"}]},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": "call_a",
                    "type": "function",
                    "function": {"name": "weather", "arguments": '{"city": "Tromsø"}'},
                },
                {
                    "id": "call_b",
                    "type": "function",
                    "function": {"name": "weather", "arguments": '{"city": "Bodø"}'},
                },
            ],
        },
        {"role": "tool", "tool_call_id": "call_b", "content": "4 degrees"},
        {"role": "tool", "tool_call_id": "call_a", "content": "-2 degrees"},
        {"role": "assistant", "content": "Cold."},
        {"role": "user", "content": "And as JSON?"},
    ],
    "tools": [
        {"type": "function", "function": {"name": name, "parameters": _SCHEMA, "strict": True}}
        for name in ("weather", "tide")
    ],
    "tool_choice": {"type": "function", "function": {"name": "tide"}},
    "parallel_tool_calls": True,
    "stop": ["END"],
    "stream": True,
    "stream_options": {"include_usage": True},
    "response_format": {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": _SCHEMA, "strict": True},
    },
}

MESSAGES_REQUEST: Json = {
    "model": "m",
    "max_tokens": 4096,
    "system": [{"type": "text", "text": "Be brief."}],
    "thinking": {"type": "enabled", "budget_tokens": 2048},
    "messages": [
        {"role": "user", "content": "Weather?"},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "Two places.", "signature": "c2ln"},
                {"type": "text", "text": "I look."},
                {"type": "tool_use", "id": "a", "name": "weather", "input": {"city": "Tromsø"}},
                {"type": "tool_use", "id": "b", "name": "weather", "input": {"city": "Bodø"}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": "-2 degrees"},
                {
                    "type": "tool_result",
                    "tool_use_id": "b",
                    "is_error": True,
                    "content": [{"type": "text", "text": "No such place."}],
                },
                {"type": "text", "text": "Well?"},
            ],
        },
    ],
    "tools": [{"name": "weather", "description": "Look.", "input_schema": _SCHEMA}],
    "tool_choice": {"type": "auto"},
    "stop_sequences": ["END"],
}

_CHAT_REPLIES: dict[str, Json] = {
    "text": {"text": "Grüße aus Tromsø 🌨️ und anderswo."},
    "calls": {"text": "I look.", "tool_calls": CALLS},
    "calls-only": {"tool_calls": CALLS[1:]},
    "thinking": {"thinking": "Which city? 城市", "text": "Bodø.", "tool_calls": CALLS[:1]},
    "refusal": {"refusal": "I cannot help with that."},
    "length": {"text": "Once upon a", "finish": "length"},
    "filter": {"text": "Once", "finish": "content_filter"},
    "cached": {
        "text": "Again.",
        "usage": {
            "prompt_tokens": 1200,
            "completion_tokens": 90,
            "total_tokens": 1290,
            "prompt_tokens_details": {"cached_tokens": 1024},
            "completion_tokens_details": {"reasoning_tokens": 64},
        },
    },
}

SERVER_BLOCKS: list[Json] = [
    {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "tide"}},
    {
        "type": "web_search_tool_result",
        "tool_use_id": "srv_1",
        "content": [
            {
                "type": "web_search_result",
                "url": "https://example.org/tide",
                "title": "Tides",
                "encrypted_content": "ZW5j",
                "page_age": None,
            }
        ],
    },
]

_MCP_BLOCKS: list[Json] = [
    {
        "type": "mcp_tool_use",
        "id": "mcptoolu_1",
        "name": "tide",
        "server_name": "harbour",
        "input": {"port": "Bodø"},
    },
    {
        "type": "mcp_tool_result",
        "tool_use_id": "mcptoolu_1",
        "is_error": False,
        "content": [{"type": "text", "text": "noon", "citations": None}],
    },
]

_HIDDEN: Json = {"type": "redacted_thinking", "data": "aGlkZGVu"}

_MESSAGES_REPLIES: dict[str, Json] = {
    "text": {"text": "Grüße aus Tromsø 🌨️ und anderswo."},
    "texts": {"blocks": [{"type": "text", "text": "High tide"}], "text": " is at noon."},
    "calls": {"text": "I look.", "tool_calls": CALLS},
    "thinking": {"thinking": "Which city? 城市", "text": "Well.", "tool_calls": CALLS[:1]},
    "redacted": {"blocks": [_HIDDEN], "text": "Well.", "tool_calls": CALLS[1:]},
    "search": {"blocks": SERVER_BLOCKS, "text": "High tide is at noon."},
    "mcp": {"blocks": _MCP_BLOCKS, "text": "High tide is at noon."},
    "search-and-calls": {"blocks": SERVER_BLOCKS, "tool_calls": CALLS},
    "refusal": {"finish": "refusal"},
    "length": {"text": "Once upon a", "finish": "max_tokens"},
    "stop": {"text": "Once", "finish": "stop_sequence", "stop_sequence": "END"},
    "cached": {
        "text": "Again.",
        "usage": {
            "input_tokens": 9,
            "output_tokens": 90,
            "cache_read_input_tokens": 1024,
            "cache_creation_input_tokens": 256,
        },
    },
}

#: Errors by status, with the type that goes with each.
_ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    422: "invalid_request_error",
    429: "rate_limit_error",
    500: "api_error",
    503: "api_error",
    529: "overloaded_error",
}


def samples() -> list[Json]:
    """Return the exchanges of both protocols: each reply whole and streamed, and each error."""
    return [
        *_replies("chat", _CHAT_REPLIES),
        *_replies("messages", _MESSAGES_REPLIES),
        *_errors("chat"),
        *_errors("messages"),
        *_broken_streams(),
    ]


def _replies(api: str, replies: dict[str, Json]) -> Iterator[Json]:
    protocol = chat_protocol if api == "chat" else messages_protocol
    asked = {"stream_options": {"include_usage": True}}
    for name, reply in replies.items():
        whole, events = protocol.answer(reply, asked), protocol.events(reply, asked)
        expected = _read_from(api, reply, whole)
        yield _row(f"{api}-{name}", api, expected, response=whole)
        yield _row(f"{api}-{name}-streamed", api, expected, sse="".join(events))


def _read_from(api: str, reply: Json, whole: Json) -> Json:
    texts = [block.get("text", "") for block in reply.get("blocks", ())]
    usage, is_chat = whole["usage"], api == "chat"
    said = whole["choices"][0] if is_chat else whole
    return {
        "text": "".join([*texts, reply.get("text") or reply.get("refusal") or ""]),
        "tool_calls": reply.get("tool_calls", []),
        "finish": said["finish_reason" if is_chat else "stop_reason"],
        "input_tokens": usage["prompt_tokens" if is_chat else "input_tokens"],
        "output_tokens": usage["completion_tokens" if is_chat else "output_tokens"],
    }


def _errors(api: str) -> Iterator[Json]:
    for status, kind in _ERRORS.items():
        error = {"type": kind, "message": f"It is {kind}, they say."}
        body: Json = {"error": error} if api == "chat" else {"type": "error", "error": error}
        yield _row(f"{api}-{status}", api, {"error": error}, response=body, status=status)


def _broken_streams() -> Iterable[Json]:
    """Yield streams that end in an error after the reply began."""
    error = {"type": "overloaded_error", "message": "We are overloaded."}
    told: list[tuple[str, str]] = [
        ("chat", "".join(chat_protocol.events({"text": "Twelve and"}, {})[:3])),
        ("messages", "".join(messages_protocol.events({"text": "Twelve and"}, {})[:4])),
    ]
    for api, begun in told:
        protocol = chat_protocol if api == "chat" else messages_protocol
        sse = begun + protocol.failure_event(error)
        yield _row(f"{api}-error-in-stream", api, {"error": error}, sse=sse)


def _row(id: str, api: str, expected: Json, *, status: int = 200, **body: Any) -> Json:
    return {
        "id": id,
        "api": api,
        "host": "127.0.0.1",
        "stream": "sse" in body,
        "status": status,
        "request": CHAT_REQUEST if api == "chat" else MESSAGES_REQUEST,
        "expected": expected,
        **body,
    }
