"""Say why a provider would refuse a request, by our own rules and by those of the reference."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from support import chat_rules, messages_rules
from support.reference import is_there, reference

Json = dict[str, Any]


def chat_refusals(body: Json) -> Iterator[str]:
    """Yield each reason of ours why chat completions would answer 400."""
    yield from _read(chat_rules.refusals, body)


def messages_refusals(body: Json) -> Iterator[str]:
    """Yield each reason of ours why the Messages API would answer 400."""
    yield from _read(messages_rules.refusals, body)


def count_refusals(body: Json) -> Iterator[str]:
    """Yield each reason of ours why the Messages API would not count the tokens."""
    yield from _read(lambda asked: messages_rules.refusals(asked, is_count=True), body)


def refusals(api: str, body: Json) -> list[str]:
    """Return each reason against a request, also those of the reference where it is there.

    Args:
        api: "chat" or "messages".
        body: The request.
    """
    own = chat_refusals if api == "chat" else messages_refusals
    reasons = list(own(body))
    return reasons + (reference_refusals(api, body) if is_there() else [])


def reference_refusals(api: str, body: Json) -> list[str]:
    """Return the reasons of the reference, which must be there."""
    found: list[str] = reference("rules").check(api, body)
    return found


def _read(rules: Callable[[Json], Iterator[str]], body: Json) -> Iterator[str]:
    """Yield the reasons of the rules; what is not shaped so that they can read it is one too."""
    try:
        yield from rules(body)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        yield f"the request is malformed: {error!r}"
