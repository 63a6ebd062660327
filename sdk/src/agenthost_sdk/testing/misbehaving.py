"""A prompt driver that misbehaves in a named way, for tests of what a host makes of it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from agenthost_sdk.actions import ToolSpec
from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.errors import DefinitionError, NotFoundError
from agenthost_sdk.messages import (
    ActionResultMessageContent,
    DeltaMessage,
    Message,
    PromptStack,
)
from agenthost_sdk.testing.drivers import in_pieces
from agenthost_sdk.testing.scenes import DIALECTS, SCENES, Part, Scene
from agenthost_sdk.testing.scenes.inputs import right_input
from agenthost_sdk.tools import BaseTool

#: A native name and an input.
Call = tuple[str, Mapping[str, Any]]


@dataclass(kw_only=True, eq=False)
class MisbehavingDriver(BasePromptDriver):
    """Misbehave in the first reply as the scene says, then behave: act rightly, then answer.

        from agenthost import PromptTask
        from agenthost_sdk.testing import MisbehavingDriver

        driver = MisbehavingDriver("trailing_comma", answer="There are 7.")
        run = PromptTask("How many?", tools=[Inventory()], prompt_driver=driver).run()
        assert run.value == "There are 7."

    `MisbehavingDriver.scenes()` lists the scenes. Where the first reply led to no result, the
    second makes the call rightly; the next is the answer. A scene that loops goes on as long as
    it says. A driver plays its scene once; make one for each run.

    Args:
        scene: The name of the scene.
        tools: The tools of the task; needed in the text dialects, which put none on the stack.
        call: The right call, as native name and input. By default the first activity that suits
            the scene, with the input of its example, else one made from its schema.
        other: Another right call, for the scenes with two; by default another activity.
        answer: What the model answers in the end.
        dialect: The dialect in which it speaks, as the task is told to read it.

    Raises:
        NotFoundError: No scene has that name; the near ones are named.
        DefinitionError: The scene cannot be played in the dialect, or nothing is there to call.
    """

    provider = "misbehaving"

    model: str = "misbehaving-1"
    #: What the scene says is what comes; nothing is asked twice.
    max_attempts: int = 1
    scene: str = field(kw_only=False)
    tools: Sequence[BaseTool] = ()
    call: Call | None = None
    other: Call | None = None
    answer: str = "Done."
    dialect: str = "native"
    #: How many characters come at a time when the reply is streamed.
    piece: int = 8
    #: Each stack that was asked, as it was then.
    stacks: list[PromptStack] = field(default_factory=list, init=False, repr=False)
    _cast: Part | None = field(default=None, init=False, repr=False)
    _turns: Iterator[int] = field(default_factory=count, init=False, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.dialect not in DIALECTS:
            raise NotFoundError("dialect to misbehave in", self.dialect, DIALECTS)
        if self.scene not in self.scenes(self.dialect):
            raise self._unknown_scene()
        if self.dialect != "native" and not self.tools and self.call is None:
            raise DefinitionError(
                f"What is to be called in the dialect {self.dialect!r}? The stack does not tell;"
                ' pass tools=[…], or call=("Tool_activity", {"argument": "value"}).'
            )
        self.use_native_tools = self.dialect == "native"

    @classmethod
    def scenes(
        cls, dialect: str = "native", tools: Sequence[BaseTool] | None = None
    ) -> dict[str, str]:
        """Return the names of the scenes that can be played in a dialect, each described.

        Args:
            dialect: The dialect.
            tools: Leave out the scenes that no activity of these suits; one that needs a whole
                number, say, where none takes one.
        """
        specs = None if tools is None else [spec for tool in tools for spec in tool.specs()]
        return {
            scene.name: scene.description
            for scene in SCENES.values()
            if dialect in scene.dialects and (specs is None or scene.suits(specs))
        }

    def try_run(self, stack: PromptStack) -> Message:
        """Return the next reply whole, or raise the scene's error."""
        return _whole(*self._next(stack))

    def try_stream(self, stack: PromptStack) -> Iterator[DeltaMessage]:
        """Yield the next reply in pieces; the scene decides which, where it has a say in that."""
        scene, part = self._next(stack)
        if scene is not None and scene.streamed is not None:
            yield from scene.streamed(part)
        else:
            yield from in_pieces(_whole(scene, part), self.piece)

    def _next(self, stack: PromptStack) -> tuple[Scene | None, Part]:
        """Return the scene to be played, or None for the answer, and what to play with."""
        scene = SCENES[self.scene]
        with self._lock:
            self.stacks.append(replace(stack, messages=list(stack.messages)))
            self._cast = self._cast or self._chosen(scene, stack)
            part = replace(self._cast, turn=next(self._turns))
        if part.turn == 0 or _goes_on(scene, stack):
            return scene, part
        if part.turn > 1 or not part.native or self._has_result(scene, stack):
            return None, part
        return SCENES["good"], part

    def _has_result(self, scene: Scene, stack: PromptStack) -> bool:
        """Return whether the first reply led to a result; in text, whether it should have."""
        if self.dialect != "native":
            return scene.outcome in ("runs", "mixed")
        last = stack.messages[-1].content if stack.messages else ()
        results = [block for block in last if isinstance(block, ActionResultMessageContent)]
        return any(not result.failed for result in results)

    def _chosen(self, scene: Scene, stack: PromptStack) -> Part:
        """Choose what to call, once for all replies."""
        specs = list(stack.tools) or [spec for tool in self.tools for spec in tool.specs()]
        native, given = self.call or _first(specs, scene)
        schema = next((spec.schema for spec in specs if spec.native == native), {})
        other = self.other or _another(specs, native, given)
        pairs = {spec.native: (spec.name, spec.path) for spec in specs}
        return Part(native, given, other, self.answer, self.dialect, schema, pairs)

    def _unknown_scene(self) -> Exception:
        if self.scene not in SCENES:
            return NotFoundError("scene", self.scene, SCENES)
        played = ", ".join(SCENES[self.scene].dialects)
        return DefinitionError(
            f"The scene {self.scene!r} cannot be played in the dialect {self.dialect!r};"
            f" it can in: {played}."
        )


def _whole(scene: Scene | None, part: Part) -> Message:
    """Return the reply of a scene, or the answer; raise what the scene has the driver raise."""
    reply = part.closing() if scene is None else scene.play(part)
    if isinstance(reply, Exception):
        raise reply
    return reply


def _goes_on(scene: Scene, stack: PromptStack) -> bool:
    offers_tools = stack.tool_choice != "none"
    return scene.lasts == "always" or (scene.lasts == "while tools are offered" and offers_tools)


def _first(specs: Sequence[ToolSpec], scene: Scene) -> Call:
    """Return the right call of the first activity that suits the scene, else of the first."""
    suited = [spec for spec in specs if scene.wants is None or scene.wants(spec)]
    for spec in suited or specs:
        return spec.native, right_input(spec)
    return "", {}


def _another(specs: Sequence[ToolSpec], native: str, given: Mapping[str, Any]) -> Call:
    """Return a right call of another activity; the same call where there is none."""
    for spec in specs:
        if spec.native != native:
            return spec.native, right_input(spec)
    return native, given
