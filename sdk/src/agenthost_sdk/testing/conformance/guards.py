"""What the host expects of an action guard."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

from agenthost_sdk.actions import Annotations, ToolAction, ToolSpec, native_specs
from agenthost_sdk.artifacts import BaseArtifact
from agenthost_sdk.errors import DeniedError
from agenthost_sdk.guards import BaseActionGuard
from agenthost_sdk.testing.conformance.declared import declared
from agenthost_sdk.testing.conformance.faults import none_of
from agenthost_sdk.testing.conformance.odd_outputs import ODD_OUTPUTS


class ActionGuardConformance:
    """Hold an action guard against what the host expects of one.

        class TestKeeper(ActionGuardConformance):
            guard = Keeper

    What it is to refuse and to change only its author knows: test that beside these.
    """

    guard: ClassVar[type[BaseActionGuard]]

    def make_guard(self) -> BaseActionGuard:
        """Return the guard to be tested; called for each test."""
        made: BaseActionGuard = declared(self, "guard")()
        return made

    def test_the_guard_is_described(self) -> None:
        """If it fails: write a docstring that says what the guard lets pass."""
        made = type(self.make_guard())

        assert vars(made).get("__doc__"), f"{made.__name__} has no docstring."

    def test_its_methods_are_plain_functions(self) -> None:
        """If it fails: write `before` and `after` with a plain `def`; nobody awaits them."""
        guard = self.make_guard()

        none_of(
            f"{name} is async."
            for name in ("before", "after")
            if inspect.iscoroutinefunction(getattr(guard, name))
        )

    def test_before_returns_the_action_or_refuses_it(self) -> None:
        """If it fails: return the action, or `dataclasses.replace(action, input=…)`, or raise
        `DeniedError(reason)`. What else is raised refuses the action too, and blames the guard.
        """
        none_of(_before_faults(self.make_guard()))

    def test_before_leaves_the_actions_input_alone(self) -> None:
        """If it fails: give the action another input with `dataclasses.replace`; the one that it
        has belongs to the run's record.
        """
        guard = self.make_guard()

        none_of(
            f"before changes the input of {action.native}."
            for action, spec in _odd_actions()
            if _is_changed_by(guard, action, spec)
        )

    def test_after_returns_an_artifact_or_withholds_it(self) -> None:
        """If it fails: look at an output through `to_text()`, which every artifact has, and return
        it or another artifact, or raise `DeniedError(reason)`.
        """
        none_of(_after_faults(self.make_guard()))


def _odd_actions() -> Iterator[tuple[ToolAction, ToolSpec]]:
    """Yield actions of many kinds, each with its spec."""
    inputs: tuple[dict[str, Any], ...] = (
        {},
        {"": ""},
        {"text": "a" * 100_000},
        {"n": None, "of": [{"x": [1.5, True]}]},
    )
    names = (("Odd", "run"), ("Odd", None), ("mcp__server__tool", None))
    annotations = (Annotations(), Annotations(read_only=True), Annotations(destructive=True))
    for (name, path), stated in zip(names, annotations, strict=True):
        spec = replace(native_specs([(name, path)])[0], annotations=stated)
        yield from ((ToolAction("1", name, path, given), spec) for given in inputs)


def _before_faults(guard: BaseActionGuard) -> Iterator[str]:
    for action, spec in _odd_actions():
        try:
            given: object = guard.before(action, spec)
        except DeniedError as error:
            if not str(error).strip():
                yield f"{action.native} is refused without a reason."
        except Exception as error:  # whatever it is, it is the fault that is looked for
            yield f"{action.native}: {dict(action.input)!r:.80} makes it raise {error!r:.80}."
        else:
            if not isinstance(given, ToolAction) or _named(given) != _named(action):
                yield f"before made {given!r:.80} of {action.native}."


def _after_faults(guard: BaseActionGuard) -> Iterator[str]:
    action = ToolAction("1", "Odd", "run")
    for output in ODD_OUTPUTS:
        try:
            given: object = guard.after(action, output)
        except DeniedError as error:
            if not str(error).strip():
                yield f"{output!r:.80} is withheld without a reason."
        except Exception as error:  # as above
            yield f"{output!r:.80} makes it raise {error!r:.80}."
        else:
            if not isinstance(given, BaseArtifact):
                yield f"after made {given!r:.80} of {output!r:.80}, which is no artifact."


def _is_changed_by(guard: BaseActionGuard, action: ToolAction, spec: ToolSpec) -> bool:
    before = copy.deepcopy(dict(action.input))
    try:
        guard.before(action, spec)
    except Exception:  # another test tells of it
        return False
    return dict(action.input) != before


def _named(action: ToolAction) -> tuple[str, str, str | None]:
    return action.tag, action.name, action.path
