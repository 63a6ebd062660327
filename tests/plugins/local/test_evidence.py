"""Groups of examples are rated by nearness and by the words that speak for them."""

from __future__ import annotations

from agenthost_plugin_local.evidence import evidence, ratings

GROUPS = {
    "minus": {"Nine flew away, how many are left?": 0.5, "Two are left of three": 0.5},
    "times": {"How much do nine cost?": 0.5, "Three cost two, what do nine cost?": 0.5},
}


def test_words_speak_for_the_group_in_which_they_occur() -> None:
    found = evidence("How many of the cakes are left?", GROUPS)

    assert found["minus"] > 0 > found["times"]


def test_of_groups_equally_near_the_one_spoken_for_is_rated_higher() -> None:
    found = ratings("What do the cakes cost?", GROUPS)

    assert found["times"] > found["minus"]


def test_unknown_words_tell_nothing() -> None:
    assert set(evidence("Xyzzy", GROUPS).values()) == {0.0}
