"""Spread the tests over processes, one by one but for those that share something costly."""

from __future__ import annotations

from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

#: Where a fixture costs much and belongs to one process: all tests there run in that one.
TOGETHER = (
    "tests/functional/test_third_party_plugin.py",
    "tests/plugins/local/",
    "tests/plugins/openai/test_llama_server.py",
)


class Scheduling(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    """Give a process the next test when it is done, or the next tests that belong together."""

    def _split_scope(self, nodeid: str) -> str:
        return next((place for place in TOGETHER if nodeid.startswith(place)), nodeid)
