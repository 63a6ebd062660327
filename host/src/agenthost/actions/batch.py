"""Keep the actions of one reply in order: which run, which wait, and what came of each."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from time import monotonic

from agenthost.actions.validation import Ready
from agenthost_sdk.artifacts import BaseArtifact, ErrorArtifact
from agenthost_sdk.tools import failure

#: How many actions of one reply run at once; the next begins when one of them is answered.
MAX_PARALLEL = 128

#: Called with the place of an action in the list, its result, and the seconds that it took.
Record = Callable[[int, BaseArtifact, float], None]

#: Called with the place of an action in the list when it starts.
Begin = Callable[[int], None]

#: The place of an action, its result, and when it came by the monotonic clock.
Arrival = tuple[int, BaseArtifact, float]


class Batch:
    """The actions of one reply; each is answered exactly once.

    Args:
        ready: The actions.
        begin: Is called when an action begins.
        record: Is called when an action is answered.
        most: The seconds that any of them may take, whatever its own time limit.
    """

    def __init__(
        self, ready: Sequence[Ready], begin: Begin, record: Record, most: float | None = None
    ) -> None:
        self._ready = ready
        self._most = most
        self._begin = begin
        self._record = record
        self._outputs: dict[int, BaseArtifact] = {}
        self._next = 0
        self._since: dict[int, float] = {}  # of each action that began and is not answered
        self._ends: dict[int, float] = {}  # of each of these that has a time limit
        self._started: set[int] = set()
        self._arrivals: deque[Arrival] = deque()

    def is_open(self) -> bool:
        """Return whether an action still waits for its answer."""
        return len(self._outputs) < len(self._ready)

    def begin_more(self, start: Callable[[int], None]) -> None:
        """Begin as many actions as may run beside those that do."""
        while self._next < len(self._ready) and len(self._since) < MAX_PARALLEL:
            place = self._next
            self._next += 1
            self._since[place] = now = monotonic()
            own = self._ready[place].spec.timeout
            limit = self._most if own is None else self._limit(place)
            if limit is not None:
                self._ends[place] = now + limit
            self._begin(place)
            self._started.add(place)
            try:
                start(place)
            except RuntimeError as error:  # the system has no further thread to give
                self._settle(place, failure(error), monotonic())

    def seconds_left(self) -> float | None:
        """Return how long to wait for a result at most; None where no running one has a limit."""
        if not self._since:
            return 0.0
        return max(0.0, min(self._ends.values()) - monotonic()) if self._ends else None

    def answer(self, arrivals: Iterable[Arrival]) -> None:
        """Record the results that came, and answer those in whose stead none came in time."""
        self._arrivals.extend(arrivals)
        self._settle_arrivals()
        if self._ends:
            now = monotonic()
            for place in [place for place, end in self._ends.items() if end <= now]:
                self._settle(place, self._timed_out(place), now)

    def give_up(self) -> None:
        """Answer all that is left as cancelled, since nobody waits for it any more."""
        self._settle_arrivals()
        for place in list(self._since):
            self._settle(place, _cancelled(has_begun=place in self._started), monotonic())
        while self._next < len(self._ready):
            place = self._next
            self._next += 1
            self._since[place] = monotonic()
            self._begin(place)
            self._settle(place, _cancelled(has_begun=False), monotonic())

    def outputs(self) -> list[BaseArtifact]:
        """Return the results, in the order of the actions."""
        return [self._outputs[place] for place in range(len(self._ready))]

    def _settle_arrivals(self) -> None:
        while self._arrivals:  # one by one, so that an interrupt in between loses none
            self._settle(*self._arrivals.popleft())

    def _settle(self, place: int, output: BaseArtifact, now: float) -> None:
        since = self._since.pop(place, None)
        if since is None:
            return  # the late result of an action that was answered in its stead
        self._ends.pop(place, None)
        self._outputs[place] = output
        self._record(place, output, now - since)

    def _limit(self, place: int) -> float | None:
        """Return the seconds that an action may take; None where nothing limits them."""
        stated = (self._ready[place].spec.timeout, self._most)
        return min((limit for limit in stated if limit is not None), default=None)

    def _timed_out(self, place: int) -> ErrorArtifact:
        spec, limit = self._ready[place].spec, self._limit(place)
        whose = "its limit of {:g} seconds" if limit == spec.timeout else _RUNS_TIME
        words = f"{spec.native} did not finish within {whose.format(limit)}."
        return ErrorArtifact(words, code="timeout")


#: Where the run ends before an action's own time does.
_RUNS_TIME = "the {:.3g} seconds that were left to the run (max_seconds)"


def _cancelled(*, has_begun: bool) -> ErrorArtifact:
    what = "It had begun; what it did is not known." if has_begun else "It did not run."
    return ErrorArtifact(
        f"The run was cancelled before this action ended. {what}", code="cancelled"
    )
