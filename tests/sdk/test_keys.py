"""Keys are looked up in the environment, then in each source, and are never shown again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote, quote_plus

import pytest

from agenthost_sdk.keys import (
    SHORTEST_SECRET,
    add_source,
    find_key,
    forget_secrets,
    is_set,
    keep_header_secrets,
    keep_secret,
    kept_secrets,
)
from agenthost_sdk.redaction import MOST_CHARACTERS, REDACTED, for_model, redacted, without_keys

# What was added or kept stays with the process, so each test has names and values of its own.


class Source:
    """Holds one key, and notes what it is asked for."""

    def __init__(self, name: str, key: str) -> None:
        self.name = name
        self.key = key
        self.asked: list[str] = []

    def __call__(self, name: str) -> str:
        if name == self.name:
            self.asked.append(name)
            return self.key
        return ""


def test_the_environment_goes_before_every_source(monkeypatch: pytest.MonkeyPatch) -> None:
    source = Source("KEY_IN_BOTH", "key-of-the-source")
    add_source(source)
    monkeypatch.setenv("KEY_IN_BOTH", "  key-of-the-environment\n")

    assert find_key("KEY_IN_BOTH") == "key-of-the-environment"
    assert source.asked == []


@pytest.mark.parametrize("value", ["", "  \n"], ids=["empty", "blank"])
def test_an_empty_variable_counts_as_not_set(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    add_source(Source("KEY_LEFT_EMPTY", "key-behind-the-empty-one"))
    monkeypatch.setenv("KEY_LEFT_EMPTY", value)

    assert find_key("KEY_LEFT_EMPTY") == "key-behind-the-empty-one"


def test_sources_are_asked_in_their_order_until_one_has_the_key() -> None:
    without, first, second = (Source("KEY_OF_ONE", key) for key in (" ", "first-key ", "second"))
    for source in (without, first, second):
        add_source(source)

    assert find_key("KEY_OF_ONE") == "first-key"
    assert (len(without.asked), len(first.asked), len(second.asked)) == (1, 1, 0)


def test_a_source_that_is_added_twice_is_asked_once() -> None:
    source = Source("KEY_OF_NONE", "")
    add_source(source)
    add_source(source)

    assert find_key("KEY_OF_NONE") == ""
    assert source.asked == ["KEY_OF_NONE"]


def test_a_driver_without_a_key_finds_none_and_asks_no_source() -> None:
    asked: list[str] = []

    def note(name: str) -> str:
        asked.append(name)
        return ""

    add_source(note)

    assert [find_key(None), find_key("")] == ["", ""]
    assert not is_set(None)
    assert "" not in asked


def test_whether_a_key_is_set_is_told_without_it() -> None:
    add_source(Source("KEY_THAT_IS_SET", "key-that-is-set"))

    assert is_set("KEY_THAT_IS_SET")
    assert not is_set("KEY_THAT_NOBODY_HAS")


def test_what_a_source_raises_is_not_hidden() -> None:
    def broken(name: str) -> str:
        if name == "KEY_OF_A_BROKEN_SOURCE":
            raise OSError("the file is gone")
        return ""

    add_source(broken)

    with pytest.raises(OSError, match="the file is gone"):
        find_key("KEY_OF_A_BROKEN_SOURCE")


def from_environment(monkeypatch: pytest.MonkeyPatch) -> str:
    # A name that does not look like a secret's, so that only the look-up tells.
    monkeypatch.setenv("GROQ_ACCESS", "gsk was-in-the-environment")
    return find_key("GROQ_ACCESS")


def from_source(monkeypatch: pytest.MonkeyPatch) -> str:
    add_source(Source("KEY_TO_HIDE", "gsk was-in-a-source"))
    return find_key("KEY_TO_HIDE")


def from_code(monkeypatch: pytest.MonkeyPatch) -> str:
    keep_secret(" gsk was-in-code ")
    return "gsk was-in-code"


@pytest.mark.parametrize("get", [from_environment, from_source, from_code])
def test_a_key_is_blotted_out_wherever_it_came_from_also_when_it_is_gone_there(
    monkeypatch: pytest.MonkeyPatch, get: Callable[[pytest.MonkeyPatch], str]
) -> None:
    key = get(monkeypatch)
    monkeypatch.undo()

    assert without_keys(f"bad key {key}.") == f"bad key {REDACTED}."
    assert redacted(f"bad key {key}.", {}) == f"bad key {REDACTED}."
    assert for_model(f"bad key {key}.") == f"bad key {REDACTED}."


AWKWARD = "a/b+c \"d' \\é&e"


@pytest.mark.parametrize(
    "write",
    [str, repr, json.dumps, quote, quote_plus, lambda key: quote(key, safe="")],
    ids=["plain", "repr", "json", "url", "form", "query"],
)
def test_a_key_is_blotted_out_as_others_write_it(write: Callable[[str], str]) -> None:
    keep_secret(AWKWARD)

    shown = without_keys(f"GET /?key={write(AWKWARD)}&x=1", {})

    assert re.sub("[\"']", "", shown) == f"GET /?key={REDACTED}&x=1"


@pytest.mark.parametrize("length", [SHORTEST_SECRET - 1, SHORTEST_SECRET])
def test_a_short_value_is_a_placeholder_and_stays(length: int) -> None:
    value = "placeholder"[:length]
    keep_secret(value)

    assert (value in without_keys(f"<{value}>", {})) is (length < SHORTEST_SECRET)


def test_the_headers_that_bear_a_key_are_known_by_their_names() -> None:
    keep_header_secrets(
        {
            "Authorization": "Bearer key-in-a-header",
            "x-api-key": "key-of-a-gateway",
            "x-title": "An Application",
        }
    )

    assert without_keys("key-in-a-header, key-of-a-gateway", {}) == f"{REDACTED}, {REDACTED}"
    assert without_keys("An Application by a Bearer", {}) == "An Application by a Bearer"


def test_a_key_that_begins_with_another_is_taken_out_whole() -> None:
    keep_secret("key-of-the-team")
    keep_secret("key-of-the-team-and-more")

    assert without_keys("key-of-the-team-and-more", {}) == REDACTED


def test_nothing_of_a_key_is_left_where_a_long_text_is_cut_within_it() -> None:
    key = "cut-within-this-key-somewhere"
    keep_secret(key)

    for place in range(4 * MOST_CHARACTERS - len(key) - 1, 4 * MOST_CHARACTERS + 1):
        # The block is taken out whole, so that what was at the end of the text stands in front.
        block = "-----BEGIN A-----" + "x" * (place - 32) + "-----END A-----"
        shown = for_model(f"{block}{key}{'y' * 100}")
        assert "cut-" not in shown


def test_many_threads_look_keys_up_at_once() -> None:
    add_source(lambda name: f"{name}-value" if name.startswith("KEY_OF_THREAD") else "")
    names = [f"KEY_OF_THREAD_{number}" for number in range(200)]

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(find_key, names))

    assert found == [f"{name}-value" for name in names]
    assert without_keys(" ".join(found), {}) == " ".join([REDACTED] * len(names))


def test_what_was_kept_can_be_forgotten() -> None:
    keep_secret("a-key-of-one-test")
    assert "a-key-of-one-test" in kept_secrets()

    forget_secrets()

    assert kept_secrets() == ()
