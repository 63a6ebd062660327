"""`BaseTool`: activities that belong together, and how one of them is run."""

from __future__ import annotations

import asyncio
import copy
import inspect
import logging
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing
from dataclasses import is_dataclass
from functools import cached_property
from types import CoroutineType
from typing import Any, ClassVar, Self

from typing_extensions import dataclass_transform

from agenthost_sdk.actions import ToolAction, ToolSpec, check_native_name
from agenthost_sdk.activities import Activity, activities_of, check_activities
from agenthost_sdk.artifacts import (
    GENERATOR_LIMIT,
    BaseArtifact,
    ErrorArtifact,
    error_text,
    shown_error,
    to_artifact,
)
from agenthost_sdk.errors import (
    DefinitionError,
    InvalidInput,
    NotFoundError,
    OptionError,
    ToolError,
)
from agenthost_sdk.options import check_option_names, option_values
from agenthost_sdk.schemas import Arguments, Input
from agenthost_sdk.threads import in_thread, run_coroutine

_log = logging.getLogger("agenthost")


@dataclass_transform(kw_only_default=True)
class _TakesOptions:
    """What type checkers look at; the class marked so would lose its own options, a base not."""


class BaseTool(_TakesOptions):
    """Activities that belong together. A whole plugin:

        from agenthost_sdk import BaseTool, activity, hookimpl

        class Inventory(BaseTool):
            '''Look up stock.'''

            warehouse: str = "main"

            @activity(read_only=True)
            def count(self, sku: str) -> int:
                '''Count the units on hand.

                Args:
                    sku: Stock keeping unit, such as "AB-1200".
                '''
                return len(sku)

        @hookimpl
        def agenthost_tools():
            return [Inventory]

    Annotated attributes of the class are its options, given by keyword (`Inventory(warehouse=
    "north")`); `__post_init__`, if there is one, runs when they are set. One tool serves many
    threads at once, so an activity keeps its state out of the tool or guards it.

    Args:
        name: What the model calls the tool; the class's name where it is not given.
        allowlist: The only activities on offer.
        denylist: Activities that are not on offer. Both lists hold at dispatch too.
    """

    name: str = ""
    allowlist: Sequence[str] | None = None
    denylist: Sequence[str] | None = None

    #: Options that name files which decide what the tool offers; a host that keeps what it offers
    #: looks at it anew where one of the files has changed.
    watches: ClassVar[Sequence[str]] = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        check_activities(cls, _our_names())
        ours = {"description", *inspect.get_annotations(BaseTool)}
        check_option_names(cls, _our_names() - ours)

    def __new__(cls, *_: Any, **__: Any) -> Self:
        """Make a tool that has a name, also where its author's `__init__` does not call ours."""
        if is_dataclass(cls):
            raise DefinitionError(
                f"{cls.__name__} is a dataclass. Leave @dataclass out: the annotated attributes"
                " of a tool are its options already."
            )
        tool = super().__new__(cls)
        tool.name = cls.name or cls.__name__
        return tool

    def __init__(self, **options: Any) -> None:
        own_check = ("allowlist", "denylist")
        for option, value in option_values(type(self), options, own_check).items():
            setattr(self, option, value)
        self.name = self.name or type(self).__name__
        self._check_lists()
        self.__post_init__()

    def __post_init__(self) -> None:
        """Finish the tool once its options are set; a tool may write its own."""

    @property
    def description(self) -> str:
        """What the tool is for: the first paragraph of the class's docstring."""
        classes = (kind for kind in type(self).__mro__ if issubclass(kind, BaseTool))
        told = next(kind.__doc__ for kind in classes if kind.__doc__ or kind is BaseTool)
        text = "" if told is BaseTool.__doc__ else inspect.cleandoc(told or "")
        return " ".join(text.split("\n\n")[0].split())

    @cached_property
    def activities(self) -> dict[str, Activity[..., Any]]:
        """The activities on offer by name, in the order of their definition."""
        allowed = self.allowlist
        denied = self.denylist or ()
        return {
            name: found
            for name, found in self.defined_activities().items()
            if (allowed is None or name in allowed) and name not in denied
        }

    def defined_activities(self) -> dict[str, Activity[..., Any]]:
        """Return every activity that there is, on offer or not: the marked methods of the class.

        A tool that makes its activities of something else, such as a file, writes its own.
        """
        return activities_of(type(self))

    @cached_property
    def inputs(self) -> dict[str, Input]:
        """What each activity on offer takes.

        Raises:
            SchemaError: No JSON Schema can be made for one of them.
        """
        return {name: found.input_for(self) for name, found in self.activities.items()}

    def specs(self, origin: str = "") -> list[ToolSpec]:
        """Return what dialects and drivers need to know of each activity.

        Args:
            origin: The distribution that the tool comes from.

        Raises:
            NativeNameError: Providers would refuse a name.
            SchemaError: No JSON Schema can be made for one of the activities.
        """
        return [self._spec(path, origin) for path in self.activities]

    def _spec(self, path: str, origin: str) -> ToolSpec:
        found, taken = self.activities[path], self.inputs[path]
        return ToolSpec(
            native=check_native_name(self.name, path, origin),
            name=self.name,
            path=path,
            description=found.description or taken.description,
            schema=taken.schema,
            examples=found.examples,
            annotations=found.annotations,
            timeout=found.timeout,
            origin=origin,
        )

    def run(self, action: ToolAction, arguments: Arguments | None = None) -> BaseArtifact:
        """Run one action and return what came of it; never raise.

        `before_run`, `try_run` and `after_run` follow each other; what any of them raises
        becomes an `ErrorArtifact`.

        Args:
            action: What to run; its path names an activity on offer.
            arguments: The input as the author's types have it; made from the action's input,
                which is validated for it, where it is not given.
        """
        if self._is_async(action):
            return run_coroutine(self.arun(action, arguments))
        try:
            self.before_run(action)
            result = self.try_run(action, arguments or self.arguments(action))
            if type(result) not in _PLAIN and _is_async_value(result):
                result = run_coroutine(_settled(result))  # a decorator hid that it is async
            output: Any = self.after_run(action, to_artifact(result))
            return output if isinstance(output, BaseArtifact) else to_artifact(output)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a panic of native code is no `Exception`
            return failure(error)

    async def arun(self, action: ToolAction, arguments: Arguments | None = None) -> BaseArtifact:
        """Do what `run` does, without blocking the event loop."""
        if not self._is_async(action):
            return await in_thread(self.run, action, arguments)
        try:
            self.before_run(action)
            result = self.try_run(action, arguments or self.arguments(action))
            if type(result) is CoroutineType:
                result = await result
            if type(result) not in _PLAIN:
                result = await _settled(result)
            output: Any = self.after_run(action, to_artifact(result))
            return output if isinstance(output, BaseArtifact) else to_artifact(output)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # as above
            if _is_cancellation(error):
                raise
            return failure(error)

    def before_run(self, action: ToolAction) -> None:
        """Do something before an activity runs; what it raises stops the action."""

    def try_run(self, action: ToolAction, arguments: Arguments) -> Any:
        """Call the activity; an async one gives what is to be awaited."""
        found = self._find(action)
        return found.function(self, *arguments.args, **arguments.kwargs)

    def after_run(
        self,
        action: ToolAction,  # noqa: ARG002 - for those who write their own
        output: BaseArtifact,
    ) -> BaseArtifact:
        """Look at what an activity gave, and return it or something in its place."""
        return output

    def arguments(self, action: ToolAction) -> Arguments:
        """Validate an action's input and return it as the author's types have it.

        Raises:
            InvalidInput: The input is refused.
            NotFoundError: The activity is not on offer.
        """
        self._find(action)
        taken = self.inputs[action.path or ""]
        given = copy.deepcopy(dict(action.input))  # an activity may change what it is given
        problems = taken.check(given)
        if problems:
            raise InvalidInput(problems)
        return taken.parse(given)

    def _find(self, action: ToolAction) -> Activity[..., Any]:
        found = self.activities.get(action.path or "")
        if found is None:
            raise NotFoundError(f"activity of {self.name}", action.path or "", self.activities)
        return found

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy in another process needs; the rest it makes again."""
        return {name: value for name, value in vars(self).items() if name not in _MADE_AGAIN}

    def _is_async(self, action: ToolAction) -> bool:
        found = self.activities.get(action.path or "")
        return found is not None and found.is_async

    def _check_lists(self) -> None:
        known = self.defined_activities()
        for label, names in (("allowlist", self.allowlist), ("denylist", self.denylist)):
            problem = _list_problem(names, known)
            if problem:
                kind = type(self).__name__
                raise OptionError(kind, label, f"The {label} of {self.name} {problem}")


def failure(error: BaseException) -> ErrorArtifact:
    """Return an exception of an activity in words for the model.

    The words of a `ToolError`, and of an input that was refused, stand as they are. Those of any
    other exception lose what looks like a secret, and are cut where they are long; the exception
    itself is kept on the artifact, and its traceback goes to the log, at the level "debug".
    """
    if isinstance(error, InvalidInput):
        return ErrorArtifact(str(error), code="invalid-input", exception=error)
    if isinstance(error, NotFoundError):
        return ErrorArtifact(str(error), code="not-found", exception=error)
    if isinstance(error, ToolError):
        return ErrorArtifact(str(error) or error_text(error), code="tool-error", exception=error)
    _log.debug("An activity raised an exception.", exc_info=error)
    return ErrorArtifact(shown_error(error), code="exception", exception=error)


def _is_cancellation(error: BaseException) -> bool:
    """Return whether the caller gave up; an activity may raise the same error by itself."""
    if not isinstance(error, asyncio.CancelledError):
        return False
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def _settled(result: Any) -> Any:
    """Return what an activity gave, once it is there."""
    while _is_async_value(result):
        result = await (_drawn(result) if inspect.isasyncgen(result) else result)
    return result


def _is_async_value(value: Any) -> bool:
    return inspect.isawaitable(value) or inspect.isasyncgen(value)


#: What a tool makes of its class when it is first asked; compiled schemas cannot be pickled.
_MADE_AGAIN = ("activities", "inputs")

#: The types of most results, none of which is still to be awaited.
_PLAIN = (str, int, float, bool, bytes, dict, list, tuple, type(None))


async def _drawn(values: AsyncGenerator[Any, Any]) -> list[Any]:
    kept: list[Any] = []
    async with aclosing(values):
        async for value in values:
            kept.append(value)
            if len(kept) == GENERATOR_LIMIT:
                break
    return kept


def _list_problem(names: Any, known: Iterable[str]) -> str:
    """Return what is wrong with a list of activities; "" where nothing is."""
    if isinstance(names, str):
        return f"is the text {names!r}; write [{names!r}]."
    if not isinstance(names, Iterable | None):
        return f"is {names!r}; write a list of activities."
    for name in names or ():
        if name not in known:
            return f"names {name!r}, which is no activity; it has {', '.join(known)}."
    return ""


def _our_names() -> set[str]:
    return {name for name in vars(BaseTool) if not name.startswith("_")}
