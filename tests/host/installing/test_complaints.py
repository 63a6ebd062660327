"""What pip and uv say where they refuse, and what a person is told of it."""

from __future__ import annotations

import pytest

from agenthost.installing.asked import Asked
from agenthost.installing.complaints import explained
from agenthost_sdk.errors import NotFoundError

CONSTRAINTS = ["agenthost-sdk==0.1.0", "click==8.5.1", "json-repair==0.61.0", "pydantic==2.14.4"]

CONFLICTS = {
    "pip": [
        "ERROR: Cannot install weather==1.0 because these package versions have conflicting",
        "    weather 1.0 depends on click<8",
        "    The user requested (constraint) click==8.5.1",
    ],
    "uv": [
        "  cause: Because all versions of weather depend on click<8 and click==8.5.1, we can",
        "  conclude that all versions of weather cannot be used.",
    ],
}

UNKNOWN = {
    "pip": "ERROR: Could not find a version that satisfies the requirement wea_ther<2 (from"
    " versions: none)",
    "uv": "Because wea-ther was not found in the package registry and you require wea-ther",
    "uv, without an index": "Because wea-ther was not found in the provided package locations",
}


UNREACHED = {
    "pip": "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError'",
    "pip, which does not retry": "HTTPSConnectionPool: Max retries exceeded with url: /",
    "uv": "cause: Failed to fetch: `https://x.org/simple/wea-ther/`",
    "uv, offline": "Packages were unavailable because the network was disabled.",
}


@pytest.mark.parametrize("installer", UNREACHED)
def test_of_a_name_nothing_is_said_where_no_index_was_reached(installer: str) -> None:
    said = [UNREACHED[installer], UNKNOWN["pip"]]

    told = explained(said, [Asked("wea-ther", "wea-ther<2")], CONSTRAINTS)

    assert told.startswith("What was asked for could not be fetched: see to the network")


@pytest.mark.parametrize("installer", CONFLICTS)
def test_what_the_host_holds_is_named_where_it_stands_in_the_way(installer: str) -> None:
    said = explained(CONFLICTS[installer], [Asked("weather", "weather")], CONSTRAINTS)

    assert said.startswith("It does not go with click 8.5.1, which agenthost needs as it is")


@pytest.mark.parametrize("installer", UNKNOWN)
def test_a_name_that_no_index_has_is_not_found(installer: str) -> None:
    with pytest.raises(NotFoundError, match=r"No distribution named 'wea-ther'.*--exact"):
        explained([UNKNOWN[installer]], [Asked("wea-ther", "wea-ther<2")], CONSTRAINTS)


def test_what_is_not_understood_is_left_to_the_installers_words() -> None:
    said = ["error: could not connect", "Requirement already satisfied: click==8.5.1"]

    assert explained(said, [Asked("weather", "weather")], CONSTRAINTS) == ""


def test_versions_that_are_only_like_it_are_not_named() -> None:
    said = ["conflict: myclick==8.5.1 and click==8.5.10 and json_repair == 0.61.0"]

    told = explained(said, [Asked("weather", "weather")], CONSTRAINTS)

    assert told.startswith("It does not go with json-repair 0.61.0, which")
