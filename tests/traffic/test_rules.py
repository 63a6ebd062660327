"""Our rules accept what the providers accepted, and refuse all that the reference refuses."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from support.provider_rules import chat_refusals, messages_refusals, reference_refusals
from support.reference import is_there
from traffic.recordings import accepted
from traffic.samples import CHAT_REQUEST, MESSAGES_REQUEST

Json = dict[str, Any]

RULES = {"chat": chat_refusals, "messages": messages_refusals}

#: What a part of a request is replaced by.
OTHER_VALUES: list[Any] = [None, "", " ", "é.", 0, True, [], {}, "user", "assistant", "a"]

REQUESTS = [
    ("chat", CHAT_REQUEST),
    ("messages", MESSAGES_REQUEST),
    *((row["api"], row["request"]) for row in accepted()),
]


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each container within a request, and each key that it has."""
    keys = value if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield value, key
        if isinstance(value[key], dict | list):
            yield from places(value[key])


@st.composite
def spoilt(draw: st.DrawFn) -> tuple[str, Json]:
    """Take a request that was accepted, and change something in it."""
    api, request = draw(st.sampled_from(REQUESTS))
    changed = copy.deepcopy(request)
    for _ in range(draw(st.integers(1, 2))):
        container, key = draw(st.sampled_from(list(places(changed))))
        draw(st.sampled_from(CHANGES))(container, key, draw)
    return api, changed


def replace(container: Any, key: Any, draw: st.DrawFn) -> None:
    container[key] = draw(st.sampled_from(OTHER_VALUES))


def remove(container: Any, key: Any, _draw: st.DrawFn) -> None:
    del container[key]


def repeat(container: Any, key: Any, _draw: st.DrawFn) -> None:
    if isinstance(container, list):
        container.insert(key, copy.deepcopy(container[key]))


def swap(container: Any, key: Any, draw: st.DrawFn) -> None:
    other = draw(st.sampled_from(list(container) if isinstance(container, dict) else [0, -1]))
    container[key], container[other] = container[other], container[key]


CHANGES = (replace, remove, repeat, swap)


def test_every_request_that_a_provider_accepted_is_accepted() -> None:
    if not accepted():
        pytest.skip("no recordings are beside the repository")
    refused = {
        row["id"]: reasons
        for row in accepted()
        if (reasons := list(RULES[row["api"]](row["request"])))
    }

    assert refused == {}


@pytest.mark.parametrize(("api", "request_"), REQUESTS[:2], ids=["chat", "messages"])
def test_the_samples_are_accepted(api: str, request_: Json) -> None:
    assert list(RULES[api](request_)) == []


@pytest.mark.skipif(not is_there(), reason="no reference is beside the repository")
@settings(max_examples=1500, deadline=None)
@given(spoilt())
def test_what_the_reference_refuses_is_refused(asked: tuple[str, Json]) -> None:
    api, body = asked
    try:
        reasons = reference_refusals(api, body)
    except (AttributeError, IndexError, KeyError, TypeError):
        reasons = []  # it says nothing of what it cannot read
    assume(reasons)

    assert list(RULES[api](body)) != [], (reasons, json.dumps(body))


@settings(max_examples=500, deadline=None)
@given(spoilt())
def test_no_request_is_so_odd_that_the_rules_fail(asked: tuple[str, Json]) -> None:
    api, body = asked

    assert all(isinstance(reason, str) for reason in RULES[api](body))
