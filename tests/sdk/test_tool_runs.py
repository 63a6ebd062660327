"""How a tool runs an activity, and what comes of it."""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from agenthost_sdk.actions import ToolAction
from agenthost_sdk.activities import activity
from agenthost_sdk.artifacts import (
    GENERATOR_LIMIT,
    NOTHING,
    BaseArtifact,
    ErrorArtifact,
    TextArtifact,
)
from agenthost_sdk.errors import ToolError
from agenthost_sdk.tools import BaseTool


@dataclasses.dataclass
class Point:
    x: int
    y: int


class Mixed(BaseTool):
    """Give back what is asked for."""

    @activity
    def say(self, text: str, times: int = 1) -> str:
        """Say a text."""
        return " ".join([text] * times)

    @activity
    async def wait(self, text: str) -> str:
        """Say a text after a while."""
        await asyncio.sleep(0)
        return text

    @activity
    def give(self, what: str) -> Any:
        """Return a value of some kind."""
        return VALUES[what]()

    @activity
    async def agive(self, what: str) -> Any:
        """Return a value of some kind after a while."""
        return VALUES[what]()

    @activity
    async def stream(self, count: int) -> AsyncIterator[int]:
        """Yield numbers."""
        for number in range(count):
            yield number

    @activity
    def change(self, parts: list[Any], more: dict[str, Any]) -> int:
        """Change the input in place."""
        parts.append("changed")
        more["changed"] = True
        return len(parts)

    @activity(name="renamed")
    def original(self) -> str:
        """Bear another name."""
        return "renamed"


def failing(error: BaseException) -> Callable[[], Any]:
    def fail() -> Any:
        raise error

    return fail


def ring() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


def broken_generator() -> Iterator[int]:
    yield 1
    raise ValueError("half way")


VALUES: dict[str, Callable[[], Any]] = {
    "nothing": lambda: None,
    "nan": lambda: float("nan"),
    "bytes": lambda: b"\xff",
    "point": lambda: Point(1, 2),
    "numbers": lambda: (number for number in range(GENERATOR_LIMIT + 5)),
    "ring": ring,
    "artifact": lambda: TextArtifact("as it is", name="n"),
    "half": broken_generator,
    "exit": failing(SystemExit(3)),
    "value error": failing(ValueError("too wide")),
    "tool error": failing(ToolError("The disk is full.")),
    "stop": failing(StopIteration("x")),
    "group": failing(ExceptionGroup("several", [ValueError("a"), OSError("b")])),
    "timeout": failing(TimeoutError()),
}


def run(tool: BaseTool, path: str, /, **given: Any) -> BaseArtifact:
    return tool.run(ToolAction("1", tool.name, path, given))


def arun(tool: BaseTool, path: str, /, **given: Any) -> BaseArtifact:
    return asyncio.run(tool.arun(ToolAction("1", tool.name, path, given)))


Run = Callable[..., BaseArtifact]


@pytest.fixture(params=[run, arun], ids=["sync", "async"])
def runs(request: pytest.FixtureRequest) -> Run:
    performed: Run = request.param
    return performed


def test_an_activity_runs_on_its_input(runs: Run) -> None:
    assert runs(Mixed(), "say", text="a", times=2) == TextArtifact("a a")
    assert runs(Mixed(), "wait", text="b") == TextArtifact("b")


def test_an_async_activity_runs_from_blocking_code_inside_a_loop() -> None:
    async def outer() -> BaseArtifact:
        return run(Mixed(), "wait", text="b")

    assert asyncio.run(outer()) == TextArtifact("b")


def test_an_activity_is_asked_for_by_the_name_it_bears(runs: Run) -> None:
    assert runs(Mixed(), "renamed") == TextArtifact("renamed")
    assert isinstance(runs(Mixed(), "original"), ErrorArtifact)


@pytest.mark.parametrize("path", ["give", "agive"])
@pytest.mark.parametrize(
    ("what", "kind", "text"),
    [
        ("nothing", "info", NOTHING),
        ("nan", "text", "nan"),
        ("bytes", "blob", "1 bytes"),
        ("point", "json", '{"x": 1, "y": 2}'),
        ("ring", "generic", "[[...]]"),
        ("artifact", "text", "as it is"),
    ],
)
def test_whatever_an_activity_returns_becomes_a_fitting_artifact(
    runs: Run, path: str, what: str, kind: str, text: str
) -> None:
    output = runs(Mixed(), path, what=what)

    assert (output.type, output.to_text()) == (kind, text)


def test_generators_are_drawn_up_to_the_limit(runs: Run) -> None:
    expected = list(range(GENERATOR_LIMIT))

    assert runs(Mixed(), "give", what="numbers").to_json() == expected
    assert runs(Mixed(), "stream", count=GENERATOR_LIMIT + 5).to_json() == expected
    assert runs(Mixed(), "stream", count=2).to_json() == [0, 1]


@pytest.mark.parametrize("path", ["give", "agive"])
@pytest.mark.parametrize(
    ("what", "code", "text"),
    [
        ("half", "exception", "ValueError: half way"),
        ("exit", "exception", "SystemExit: 3"),
        ("value error", "exception", "ValueError: too wide"),
        ("tool error", "tool-error", "The disk is full."),
        ("group", "exception", "ValueError: a; OSError: b"),
        ("timeout", "exception", "TimeoutError"),
    ],
)
def test_whatever_an_activity_raises_becomes_an_error_artifact(
    runs: Run, path: str, what: str, code: str, text: str
) -> None:
    output = runs(Mixed(), path, what=what)

    assert isinstance(output, ErrorArtifact)
    assert (output.code, output.value) == (code, text)
    assert output.exception is not None


def test_a_stray_stop_iteration_is_an_error_artifact(runs: Run) -> None:
    assert isinstance(runs(Mixed(), "give", what="stop"), ErrorArtifact)
    assert isinstance(runs(Mixed(), "agive", what="stop"), ErrorArtifact)


def test_an_interrupt_of_the_user_is_no_error_of_the_tool() -> None:
    class Interrupted(BaseTool):
        """Be interrupted."""

        @activity
        def act(self) -> None:
            """Act."""
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(Interrupted(), "act")


def test_a_wrong_input_is_answered_with_its_place(runs: Run) -> None:
    output = runs(Mixed(), "say", text=3)

    assert isinstance(output, ErrorArtifact)
    assert output.code == "invalid-input"
    assert output.value.startswith("/text: ")


def test_an_activity_cannot_change_the_actions_input(runs: Run) -> None:
    given: dict[str, Any] = {"parts": [[1]], "more": {"a": 1}}

    output = runs(Mixed(), "change", **given)

    assert output.to_json() == 2
    assert given == {"parts": [[1]], "more": {"a": 1}}


def test_a_decorated_activity_is_awaited_though_its_decorator_hides_it(runs: Run) -> None:
    def hidden(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(self: Any, text: str) -> Any:
            """Say a text."""
            return function(self, text)

        return call

    def shown(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            return asyncio.run(function(*args, **kwargs))

        return call

    class Decorated(BaseTool):
        """Have decorated activities."""

        @activity
        @hidden
        async def act(self, text: str) -> str:
            return text

        @activity
        @functools.wraps(Mixed.say.function)
        def again(self, *args: Any, **kwargs: Any) -> Any:
            return Mixed.say.function(self, *args, **kwargs)

    assert runs(Decorated(), "act", text="b") == TextArtifact("b")
    assert runs(Decorated(), "again", text="b", times=2) == TextArtifact("b b")


def test_the_hooks_run_in_order_round_an_activity(runs: Run) -> None:
    class Hooked(Mixed):
        """Note what happens."""

        notes: list[str] = []  # noqa: RUF012 - copied for each tool

        def before_run(self, action: ToolAction) -> None:
            self.notes.append(f"before {action.path}")

        def after_run(self, action: ToolAction, output: BaseArtifact) -> BaseArtifact:
            self.notes.append(f"after {output}")
            return TextArtifact(output.to_text().upper())

    tool = Hooked()

    assert runs(tool, "say", text="a") == TextArtifact("A")
    assert runs(tool, "wait", text="b") == TextArtifact("B")
    assert tool.notes == ["before say", "after a", "before wait", "after b"]


def test_after_run_is_for_what_succeeded(runs: Run) -> None:
    class Hooked(Mixed):
        """Raise in the second hook."""

        def after_run(self, action: ToolAction, output: BaseArtifact) -> BaseArtifact:
            raise ToolError("after")

    assert runs(Hooked(), "give", what="value error").to_text() == "ValueError: too wide"
    assert runs(Hooked(), "say", text="a").to_text() == "after"


def test_before_run_may_stop_an_action(runs: Run) -> None:
    class Hooked(Mixed):
        """Refuse."""

        def before_run(self, action: ToolAction) -> None:
            raise ToolError("Not today.")

    assert runs(Hooked(), "say", text="a") == ErrorArtifact("Not today.", code="tool-error")
    assert runs(Hooked(), "wait", text="a") == ErrorArtifact("Not today.", code="tool-error")


def test_a_hook_that_forgets_its_return_leaves_an_artifact_all_the_same(runs: Run) -> None:
    class Forgetful(Mixed):
        """Return nothing."""

        def after_run(self, action: ToolAction, output: BaseArtifact) -> Any: ...

    assert runs(Forgetful(), "say", text="a").to_text() == NOTHING


def test_one_tool_serves_sixty_four_threads() -> None:
    tool, barrier = Mixed(), threading.Barrier(64)
    outputs: dict[int, str] = {}

    def work(number: int) -> None:
        barrier.wait(30)
        outputs[number] = run(tool, "say", text=str(number)).to_text()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(64)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    assert outputs == {number: str(number) for number in range(64)}


def test_a_denied_activity_does_not_run_either(runs: Run) -> None:
    output = runs(Mixed(denylist=["wait", "say"]), "say", text="x")

    assert isinstance(output, ErrorArtifact)
    assert output.code == "not-found"
    assert output.value.startswith("No activity of Mixed named 'say'.")


class Panic(BaseException):
    """What native code raises."""


class Odd(BaseTool):
    """Do odd things."""

    @activity
    def panic(self) -> None:
        """Raise what is no `Exception`."""
        raise Panic("out of bounds")

    @activity
    async def apanic(self) -> None:
        """Raise what is no `Exception`, in a coroutine."""
        raise Panic("out of bounds")

    @activity
    async def cancel(self) -> None:
        """Raise what a cancelled part of it raised."""
        raise asyncio.CancelledError

    @activity
    async def wait(self) -> None:
        """Wait for ever."""
        await asyncio.Event().wait()

    @activity
    async def resist(self) -> None:
        """Fail when it is cancelled."""
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise ValueError("not now") from None

    @activity
    def nothing(self) -> None:
        """Fail without a word."""
        raise ToolError("")

    @activity
    def stream(self) -> Any:
        """Return a generator that has to be awaited."""
        return _counted()


async def _counted() -> AsyncIterator[int]:
    yield 1
    yield 2


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("panic", "Panic: out of bounds"),
        ("apanic", "Panic: out of bounds"),
        ("cancel", "CancelledError"),
        ("nothing", "ToolError"),
    ],
)
def test_what_is_raised_becomes_an_error_artifact_whatever_its_kind(
    runs: Run, path: str, text: str
) -> None:
    output = runs(Odd(), path)

    assert isinstance(output, ErrorArtifact)
    assert output.to_text() == text


def test_a_caller_who_gives_up_cancels_the_activity() -> None:
    async def give_up() -> None:
        async with asyncio.timeout(0.01):
            await Odd().arun(ToolAction("1", "Odd", "wait"))

    with pytest.raises(TimeoutError):
        asyncio.run(give_up())


def test_an_activity_that_fails_when_it_is_cancelled_is_answered_all_the_same() -> None:
    async def give_up() -> BaseArtifact:
        running = asyncio.ensure_future(Odd().arun(ToolAction("1", "Odd", "resist")))
        await asyncio.sleep(0)
        running.cancel()
        return await running

    assert asyncio.run(give_up()).to_text() == "ValueError: not now"


def test_an_async_generator_is_drawn_also_where_it_is_only_returned(runs: Run) -> None:
    assert runs(Odd(), "stream").value == [1, 2]
