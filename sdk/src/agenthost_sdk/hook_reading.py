"""Read what a plugin implements: which hooks, whether rightly, and whether their results do."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any

import pluggy

from agenthost_sdk import hookspecs
from agenthost_sdk.errors import nearest
from agenthost_sdk.hooks import GROUP
from agenthost_sdk.redaction import without_keys

#: Every hook that a plugin can implement.
HOOKS = tuple(name for name in vars(hookspecs) if name.startswith(f"{GROUP}_"))

#: What plugin code may raise and its caller survives; an interrupt is the person's.
PLUGIN_FAILURES = (Exception, SystemExit)


class WrongResult(Exception):  # noqa: N818 - it names what is wrong
    """A hook gave something of another shape than its specification says."""


def hook_manager() -> pluggy.PluginManager:
    """Return a manager that knows the hooks, and no plugin yet."""
    manager = pluggy.PluginManager(GROUP)
    manager.add_hookspecs(hookspecs)
    return manager


def imported(value: str) -> Any:
    """Import what an entry point names; a class is called.

    Args:
        value: The entry point's value, such as "agenthost_plugin_text" or "module:object".

    Raises:
        BaseException: Whatever the plugin raises, `SystemExit` among others.
    """
    module, _, attributes = value.partition(":")
    found: Any = import_module(module.strip())
    for attribute in attributes.split("[")[0].strip().split("."):
        if attribute:
            found = getattr(found, attribute)
    return found() if isinstance(found, type) else found


def implemented(manager: pluggy.PluginManager) -> tuple[str, ...]:
    """Return the hooks that the plugins of a manager implement."""
    return tuple(name for name in HOOKS if getattr(manager.hook, name).get_hookimpls())


def misspelt(manager: pluggy.PluginManager, plugin: Any) -> Iterator[str]:
    """Yield words for each hook that is misspelt, or lacks its marker."""
    for name in dir(plugin):
        options = manager.parse_hookimpl_opts(plugin, name)
        if options is None:
            if name in HOOKS and inspect.isroutine(inspect.getattr_static(plugin, name)):
                yield f"{name} lacks the marker @hookimpl."
            continue
        hook = options.get("specname") or name
        if hook not in HOOKS and not options.get("optionalhook"):
            near = nearest(hook, HOOKS, most=1)
            meant = f" Did you mean {near[0]}?" if near else ""
            yield f"it implements {hook}, which is no hook.{meant}"


def is_listed(hook: str) -> bool:
    """Return whether a hook gives a list; the others give names and values."""
    given = str(inspect.signature(getattr(hookspecs, hook)).return_annotation)
    return not given.startswith("Mapping")


def as_list(result: Any) -> list[Any]:
    """Return the rows that a hook gave.

    Raises:
        WrongResult: It is no list.
    """
    _refuse_coroutine(result)
    if isinstance(result, str | bytes | Mapping) or not isinstance(result, Iterable):
        raise WrongResult(f"returned {_shown(result)}; it must return a list")
    return list(result)


def as_mapping(result: Any) -> dict[str, Any]:
    """Return the names and values that a hook gave.

    Raises:
        WrongResult: It is no mapping.
    """
    _refuse_coroutine(result)
    if not isinstance(result, Mapping):
        raise WrongResult(f"returned {_shown(result)}; it must return a mapping")
    return {str(name): value for name, value in result.items()}


def words(error: BaseException) -> str:
    """Return an exception in one line, whatever its author made of it."""
    try:
        said = without_keys(" ".join(str(error).split()))
    except Exception:  # an exception whose text cannot be had is still an exception
        said = ""
    shown = said if len(said) <= 300 else f"{said[:300]}…"
    return f"{type(error).__name__}: {shown.rstrip('.')}" if shown else type(error).__name__


def import_words(value: str, error: BaseException) -> str:
    """Say why what an entry point names cannot be imported.

    Args:
        value: The entry point's value.
        error: What the import raised.
    """
    module = value.partition(":")[0].strip()
    if isinstance(error, SystemExit):
        return f"it ends the process while it is imported ({words(error)})."
    if isinstance(error, SyntaxError) and error.filename:
        return f"it cannot be imported: {error.msg} in {error.filename}, line {error.lineno}."
    if isinstance(error, ModuleNotFoundError) and error.name:
        if f"{module}.".startswith(f"{error.name}."):
            return f"its entry point names {value!r}, and there is no module {error.name!r}."
        return f"it cannot be imported: it needs the module {error.name!r}. Install that."
    return f"it cannot be imported: {words(error)}."


def no_hook_words(value: str) -> str:
    """Say that what an entry point names implements no hook.

    Args:
        value: The entry point's value.
    """
    module, _, inner = (part.strip() for part in value.partition(":"))
    said = f"implements no hook of {GROUP}, such as @hookimpl agenthost_tools."
    if not inner:
        return said
    return (
        f"{said} Its entry point names {inner!r} in the module {module!r}. If the hooks stand in"
        f" the module, name that alone: {module!r}."
    )


def signature_words(error: pluggy.PluginValidationError) -> str:
    """Say which hook has a wrong signature, and what is wrong with it."""
    lines = [line.strip() for line in str(error).splitlines()]
    told = [line for line in lines if line and not line.startswith("Plugin ")]
    hook = next((name for name in HOOKS if repr(name) in lines[0]), "")
    return f"{hook or 'a hook'} has the wrong signature: {'; '.join(told)}."


def _refuse_coroutine(result: Any) -> None:
    if inspect.iscoroutine(result):
        result.close()
        raise WrongResult("is async; write it with a plain def")


def _shown(result: Any) -> str:
    return (
        f"{result!r:.60}"
        if isinstance(result, str | bytes | int | None)
        else type(result).__name__
    )
