"""Make visible what would steer a terminal in the words of models, tools and servers."""

from __future__ import annotations

#: Control characters, less the ends of lines and tabs, and those that turn the writing round.
_STEERING = (
    *(code for code in (*range(0x20), 0x7F, *range(0x80, 0xA0)) if code not in (0x09, 0x0A)),
    *range(0x202A, 0x202F),
    *range(0x2066, 0x206A),
)

_SHOWN = {code: f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" for code in _STEERING}


def visible(text: str) -> str:
    r"""Return a text for a terminal: an escape character, say, is shown as \x1b."""
    return text.translate(_SHOWN)
