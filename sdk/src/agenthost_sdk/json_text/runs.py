"""Match whole runs of sound items or members, so that only what is damaged costs a step.

The patterns are possessive throughout: nothing is tried twice, and time grows with length alone.
"""

from __future__ import annotations

import re

#: How deep the values in a run may be nested; a deeper one is entered bracket by bracket.
_LEVELS = 2

_S = r"[ \t\r\n]*+"
_DOUBLE = (
    r'"(?!"")[^"\\\x00-\x1f]*+'
    r'(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+"'
)
#: In single or double quotes, and no quote within: the quotes can be exchanged as they are.
_EITHER = r"""(?:'(?!'')[^'"\\\x00-\x1f]*+'|"[^'"\\\x00-\x1f]*+")"""
_NUMBER = r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]++)?+"
_WORD = rf"(?:{_NUMBER}|true|false|null)(?![\w.+\-])"


def _item(string: str, levels: int) -> str:
    plain = f"{string}|{_WORD}"
    if not levels:
        return rf"(?:{plain}|\{{{_S}\}}|\[{_S}\])"
    item = _item(string, levels - 1)
    array = rf"\[{_S}(?:{item}{_S}(?:,{_S}(?!\])|(?=\])))*+\]"
    object_ = rf"\{{{_S}(?:{string}{_S}:{_S}{item}{_S}(?:,{_S}(?!\}})|(?=\}})))*+\}}"
    return f"(?:{plain}|{array}|{object_})"


def _run(part: str) -> str:
    return f"{part}(?:{_S},{_S}{part})*+"


def _member(string: str, levels: int) -> str:
    return f"{string}{_S}:{_S}{_item(string, levels)}"


STRING = re.compile(_DOUBLE)
ITEM = re.compile(_item(_DOUBLE, _LEVELS))
ITEMS = re.compile(_run(_item(_DOUBLE, _LEVELS)))
MEMBERS = re.compile(_run(_member(_DOUBLE, _LEVELS)))
SINGLE_ITEMS = re.compile(_run(_item(_EITHER, 1)))
SINGLE_MEMBERS = re.compile(_run(_member(_EITHER, 1)))
