"""Read what a plugin contributes: ask each hook, and look at what it gave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from agenthost_sdk.dialects import BaseDialect
from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.drivers_config import DriversConfig
from agenthost_sdk.embeddings import BaseEmbeddingDriver
from agenthost_sdk.errors import DefinitionError, OptionError
from agenthost_sdk.events import check_listener
from agenthost_sdk.guards import BaseActionGuard
from agenthost_sdk.hook_reading import (
    PLUGIN_FAILURES,
    WrongResult,
    as_list,
    as_mapping,
    implemented,
    imported,
    is_listed,
    misspelt,
    words,
)
from agenthost_sdk.testing.plugins.sound_hooks import sound_hooks
from agenthost_sdk.tools import BaseTool

#: Options of tools by the name of the tool's class, as settings have them.
ToolOptions = Mapping[str, Mapping[str, Any]]


class Contribution(NamedTuple):
    """One thing that a hook gave: a class, a function that makes one, or an object."""

    #: What it is, such as "prompt driver".
    kind: str
    #: By which it is known: what a mapping gave it, or its own.
    name: str
    source: Any


@dataclass
class Contributions:
    """What a plugin contributes, and what is wrong with how it says so."""

    #: The hooks that it implements rightly.
    hooks: tuple[str, ...] = ()
    #: Hooks that are misspelt, or lack their marker.
    misspelt: list[str] = field(default_factory=list)
    #: What is wrong with the signatures of hooks.
    signatures: list[str] = field(default_factory=list)
    #: Hooks that raise, or that give what they should not.
    wrong: list[str] = field(default_factory=list)
    #: The hooks of which not all is known that they give, for one of these reasons.
    unread: list[str] = field(default_factory=list)
    given: list[Contribution] = field(default_factory=list)

    def of(self, kind: str) -> list[Contribution]:
        """Return those of one kind."""
        return [one for one in self.given if one.kind == kind]

    def unread_of(self, hooks: Collection[str]) -> list[str]:
        """Return those hooks that could not be read; a misspelt one may be any of them.

        Args:
            hooks: Those that are asked about; all where there is none.
        """
        unread = [hook for hook in self.unread if not hooks or hook in hooks]
        return [*unread, "hooks that are written wrongly"] if self.misspelt else unread


class MadeTools(NamedTuple):
    """The tools of a plugin, as far as they can be made and offered."""

    #: By what settings know each.
    tools: list[tuple[str, BaseTool]]
    faults: list[str]
    #: What lacks for a tool that has an option without a default.
    unset: list[str]

    def unmade_of(self, found: Contributions) -> list[str]:
        """Return those that could not be made."""
        made = Counter(name for name, _ in self.tools)
        given = Counter(one.name for one in found.of("tool"))
        return [f"tool {name}" for name in given - made]


def read_contributions(value: str) -> Contributions:
    """Import a plugin and ask each of its hooks.

    Args:
        value: What its entry point names.

    Raises:
        BaseException: Whatever its import raises.
    """
    plugin = imported(value)
    manager, wrong = sound_hooks(plugin)
    found = Contributions(
        hooks=implemented(manager),
        misspelt=list(misspelt(manager, plugin)),
        signatures=list(wrong.values()),
        unread=list(wrong),
    )
    for hook in found.hooks:
        _ask(hook, getattr(manager.hook, hook), found)
    return found


def made_tools(found: Contributions, options: ToolOptions) -> MadeTools:
    """Make the tools of a plugin with these options."""
    made = MadeTools([], [], [])
    for one in found.of("tool"):
        given = options.get(one.name, {})
        try:
            made.tools.append((one.name, make_tool(one, options)))
        except OptionError as error:
            is_missing = isinstance(one.source, type) and error.option not in given
            (made.unset if is_missing else made.faults).append(f"tool {one.name}: {error}")
        except PLUGIN_FAILURES as error:
            made.faults.append(f"tool {one.name} cannot be used: {words(error)}.")
    return made


def make_tool(one: Contribution, options: ToolOptions) -> BaseTool:
    """Make a tool of what a plugin gave for it, and see that it can be offered.

    Raises:
        BaseException: Whatever its making raises.
    """
    given = options.get(one.name, {})
    tool = one.source if isinstance(one.source, BaseTool) else one.source(**given)
    if not isinstance(tool, BaseTool):
        raise TypeError(f"it gave {type(tool).__name__}, which is no BaseTool")
    tool.specs()
    return tool


def is_described(one: Contribution) -> bool:
    """Return whether there are words for a contribution where a host lists it."""
    if one.kind == "command":
        return bool(getattr(one.source, "help", "") or getattr(one.source, "short_help", ""))
    own = vars(one.source) if isinstance(one.source, type) else {"__doc__": one.source.__doc__}
    return bool((own.get("__doc__") or "").strip())


def _ask(hook: str, call: Callable[[], Any], found: Contributions) -> None:
    kind = _KINDS.get(hook) or _Kind(hook.partition("_")[2].replace("_", " ").removesuffix("s"))
    try:
        (result,) = call() or ([] if is_listed(hook) else {},)
        rows = _named(result) if is_listed(hook) else list(as_mapping(result).items())
    except WrongResult as error:
        _note(found, hook, f"{hook} {error}.")
    except PLUGIN_FAILURES as error:
        _note(found, hook, f"{hook} raised {words(error)}.")
    else:
        for name, source in rows:
            fault = kind.fault(source)
            if fault:
                _note(found, hook, f"{hook} gave {source!r:.80}, which {fault}.")
            else:
                found.given.append(Contribution(kind.name, name, source))


def _note(found: Contributions, hook: str, fault: str) -> None:
    found.wrong.append(fault)
    if hook not in found.unread:
        found.unread.append(hook)


def _named(result: Any) -> list[tuple[str, Any]]:
    return [(_key(source), source) for source in as_list(result)]


def _key(source: Any) -> str:
    """Return the name by which settings know what a list gave."""
    own = getattr(source, "name", "")
    kind = source if isinstance(source, type) else type(source)
    if isinstance(own, str) and own and not issubclass(kind, BaseTool):
        return own
    named = getattr(source, "func", source)  # functools.partial
    return str(getattr(named, "__name__", type(named).__name__))


class _Kind(NamedTuple):
    """What a hook gives one of."""

    name: str
    #: Says what is wrong with one; "" where nothing is.
    fault: Callable[[Any], str] = lambda _: ""


def _no_class_of(base: type, source: Any) -> str:
    fits = isinstance(source, type) and issubclass(source, base)
    return _unwritten(source) if fits else f"is no subclass of {base.__name__}"


def _unwritten(source: Any) -> str:
    """Say which methods a class has to have and has not; without them none can be made of it."""
    names = sorted(getattr(source, "__abstractmethods__", ()))
    return f"cannot be made: write {' and '.join(names)}" if names else ""


def _makes_no(base: type, source: Any) -> str:
    if isinstance(source, type):
        return _no_class_of(base, source)
    return "" if callable(source) else f"is no {base.__name__}, and makes none"


def _no_tool(source: Any) -> str:
    return "" if isinstance(source, BaseTool) else _makes_no(BaseTool, source)


def _makes_nothing(source: Any) -> str:
    return _unwritten(source) if callable(source) else "cannot be called to make one"


def _no_listener(source: Any) -> str:
    try:
        check_listener(source)
    except DefinitionError:
        return "is no plain function that takes an event"
    return ""


def _no_command(source: Any) -> str:
    is_command = isinstance(getattr(source, "name", None), str) and hasattr(source, "make_context")
    return "" if is_command else "is no command of click"


_KINDS: Mapping[str, _Kind] = {
    "agenthost_tools": _Kind("tool", _no_tool),
    "agenthost_prompt_drivers": _Kind("prompt driver", partial(_no_class_of, BasePromptDriver)),
    "agenthost_embedding_drivers": _Kind(
        "embedding driver", partial(_no_class_of, BaseEmbeddingDriver)
    ),
    "agenthost_drivers_configs": _Kind("drivers config", partial(_no_class_of, DriversConfig)),
    "agenthost_output_validators": _Kind("output validator", _makes_nothing),
    "agenthost_dialects": _Kind("dialect", partial(_no_class_of, BaseDialect)),
    "agenthost_event_listeners": _Kind("event listener", _no_listener),
    "agenthost_action_guards": _Kind("action guard", partial(_makes_no, BaseActionGuard)),
    "agenthost_commands": _Kind("command", _no_command),
    "agenthost_executors": _Kind("executor", _makes_nothing),
}


def names_of(found: Contributions, tools: list[tuple[str, BaseTool]]) -> Iterator[tuple[str, str]]:
    """Yield the kind and the name of each thing whose name must be free."""
    for _, tool in tools:
        yield "tool", tool.name
        yield from (("native name", spec.native) for spec in tool.specs())
    for one in found.given:
        if one.kind not in ("tool", "event listener", "action guard"):
            yield one.kind, one.name
