"""Turn what a plugin's hooks gave into the rows of the catalog."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from typing import Any, get_type_hints

from agenthost.registry.entries import (
    ActivityEntry,
    CommandEntry,
    DialectEntry,
    DriverEntry,
    DriversConfigEntry,
    EmbeddingEntry,
    NamedEntry,
    OptionEntry,
    ToolEntry,
    ValidatorEntry,
)
from agenthost.registry.fields import field_meanings, plain, type_words
from agenthost.registry.loading import PLUGIN_FAILURES, LoadedPlugin, words
from agenthost.registry.making import NotSetUpError, Options, ToolMaker, source_name
from agenthost_sdk.actions import ToolSpec
from agenthost_sdk.dialects import BaseDialect
from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.drivers_config import DriversConfig
from agenthost_sdk.embeddings import BaseEmbeddingDriver
from agenthost_sdk.errors import (
    AgenthostError,
    DefinitionError,
    NativeNameError,
    SettingsError,
)
from agenthost_sdk.events import check_listener
from agenthost_sdk.guards import BaseActionGuard
from agenthost_sdk.options import REQUIRED, option_type, options_of
from agenthost_sdk.tools import BaseTool

#: As `encode`, with each character as it is: one that UTF-8 has no bytes for is found so.
_write = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def event_listeners(plugin: LoadedPlugin) -> list[Callable[[Any], Any]]:
    """Return the plugin's listeners to events; what cannot listen is recorded as failed."""
    hook = "agenthost_event_listeners"
    listeners = []
    for one in plugin.listed(hook):
        try:
            check_listener(one)
        except DefinitionError as error:
            plugin.fail(f"{hook}: {error}", error)
        else:
            listeners.append(one)
    return listeners


def describe_tools(
    plugin: LoadedPlugin, makers: Iterable[ToolMaker], options: Options
) -> tuple[ToolEntry, ...]:
    """Return a row for each tool that can be made; the others are recorded as failed."""
    return tuple(_working(plugin, makers, lambda maker: _tool(maker, options)))


def describe_options(makers: Iterable[ToolMaker]) -> tuple[OptionEntry, ...]:
    """Return a row for each option of each tool that is a class, whether or not it can be made."""
    return tuple(row for maker in makers for row in _options(maker))


def describe_guards(plugin: LoadedPlugin) -> tuple[NamedEntry, ...]:
    """Return a row for each guard that can be made."""
    return tuple(_working(plugin, plugin.listed("agenthost_action_guards"), _guard, "guard "))


def make_guard(source: Any) -> BaseActionGuard:
    """Make a guard of what a plugin gave for one.

    Raises:
        TypeError: It is none.
        Exception: Whatever the plugin's code raises.
    """
    if not callable(source):
        raise TypeError("it is neither a class nor a function that makes a guard")
    guard = source()
    if not isinstance(guard, BaseActionGuard):
        raise TypeError(f"it gave {type(guard).__name__}, which is no BaseActionGuard")
    for name in ("before", "after"):
        if inspect.iscoroutinefunction(getattr(guard, name)):
            raise TypeError(f"its {name} is async; write it with a plain def")
    return guard


def describe_commands(plugin: LoadedPlugin) -> tuple[CommandEntry, ...]:
    """Return a row for each command."""
    return tuple(_working(plugin, plugin.listed("agenthost_commands"), _command))


def describe_executors(plugin: LoadedPlugin) -> tuple[NamedEntry, ...]:
    """Return a row for each executor; none is made, since one may start processes."""
    return tuple(_working(plugin, plugin.mapped("agenthost_executors").items(), _executor))


def describe_drivers(plugin: LoadedPlugin) -> tuple[DriverEntry, ...]:
    """Return a row for each prompt driver."""
    return tuple(_working(plugin, plugin.mapped("agenthost_prompt_drivers").items(), _driver))


def describe_embeddings(plugin: LoadedPlugin) -> tuple[EmbeddingEntry, ...]:
    """Return a row for each embedding driver."""
    given = plugin.mapped("agenthost_embedding_drivers").items()
    return tuple(_working(plugin, given, _embedding))


def describe_drivers_configs(plugin: LoadedPlugin) -> tuple[DriversConfigEntry, ...]:
    """Return a row for each drivers config."""
    given = plugin.mapped("agenthost_drivers_configs").items()
    return tuple(_working(plugin, given, _drivers_config))


def describe_validators(plugin: LoadedPlugin) -> tuple[ValidatorEntry, ...]:
    """Return a row for each output validator."""
    return tuple(
        _working(plugin, plugin.mapped("agenthost_output_validators").items(), _validator)
    )


def describe_dialects(plugin: LoadedPlugin) -> tuple[DialectEntry, ...]:
    """Return a row for each dialect."""
    return tuple(_working(plugin, plugin.listed("agenthost_dialects"), _dialect))


def _working(
    plugin: LoadedPlugin, items: Iterable[Any], describe: Callable[[Any], Any], what: str = ""
) -> Iterator[Any]:
    for item in items:
        try:
            row = describe(item)
            _check_row(row)
            yield row
        except AgenthostError as error:
            if isinstance(error, SettingsError) and isinstance(item, ToolMaker):
                kind: Any = "unset" if isinstance(error, NotSetUpError) else "setting"
                plugin.fail_by_setting(str(error), item.key, kind)
                continue
            told = f"{_title(item)} cannot be used: {' '.join(str(error).split())}"
            plugin.fail(told, error, _asked_name(item))
        except PLUGIN_FAILURES as error:
            told = f"{what}{_title(item)} cannot be used: {words(error)}."
            plugin.fail(told, error, _asked_name(item))


def _asked_name(item: Any) -> str:
    """Return the name by which a person would ask for what fails; "" where there is none."""
    if isinstance(item, ToolMaker):
        return item.key
    name = item[0] if isinstance(item, tuple) else getattr(item, "name", "")
    return name if isinstance(name, str) else ""


#: The kinds of values whose fields are looked at; the others are made by the host.
_PLAIN: Mapping[Any, str] = {str: "text", str | None: "text", bool: "truth", int: "number"}


def _check_row(row: Any) -> None:
    """Refuse what could not be written down, or would not stand in a listing."""
    for field, kind in get_type_hints(type(row)).items():
        value = getattr(row, field)
        if kind in _PLAIN and not isinstance(value, kind):
            raise TypeError(f"its {field} is {value!r:.80}, which is no {_PLAIN[kind]}")
    _write(row.to_json() if isinstance(row, ToolEntry) else row).encode()


def _title(item: Any) -> str:
    if isinstance(item, ToolMaker):
        return f"tool {item.key}"
    return repr(item[0]) if isinstance(item, tuple) else source_name(item)


def _tool(maker: ToolMaker, options: Options) -> ToolEntry:
    tool = maker.make(options)
    activities = tuple(_activity(tool, spec) for spec in _specs(tool, maker, options))
    if not activities:
        raise DefinitionError("it has no activity on offer; mark a method with @activity.")
    return ToolEntry(tool.name, maker.key, maker.place, tool.description, activities)


def _specs(tool: BaseTool, maker: ToolMaker, options: Options) -> list[ToolSpec]:
    try:
        return tool.specs()
    except NativeNameError as error:
        if not maker.alias:
            raise
        words = (
            f"{options.file}: [tools.alias] {maker.alias!r} cannot be the name of a tool. {error}"
        )
        raise SettingsError(words) from error


def _activity(tool: BaseTool, spec: ToolSpec) -> ActivityEntry:
    path = spec.path or ""
    return ActivityEntry(
        native=spec.native,
        path=path,
        description=spec.description,
        schema=spec.schema,
        annotations=spec.annotations.to_dict(),
        examples=tuple(
            {"question": example.question, "input": dict(example.input)}
            for example in spec.examples
        ),
        timeout=spec.timeout,
        dynamic=tool.activities[path].is_dynamic or bool(tool.watches),
    )


def _driver(item: tuple[str, Any]) -> DriverEntry:
    name, driver = item
    _check_driver(name, driver, BasePromptDriver)
    return DriverEntry(
        name=name,
        description=_summary(driver),
        model=_model(driver),
        key_env=driver.key_env,
        rank=int(driver.rank),
    )


def _embedding(item: tuple[str, Any]) -> EmbeddingEntry:
    name, driver = item
    _check_driver(name, driver, BaseEmbeddingDriver)
    return EmbeddingEntry(name, _summary(driver), _model(driver), driver.key_env)


def _drivers_config(item: tuple[str, Any]) -> DriversConfigEntry:
    name, config = item
    _check_class(config, DriversConfig)
    _check_name("a drivers config", name)
    return DriversConfigEntry(name, _summary(config), list(config.made_kinds()))


def _check_driver(name: str, driver: Any, base: type) -> None:
    _check_class(driver, base)
    _check_name("a driver", name)


def _check_class(given: Any, base: type) -> None:
    if not (isinstance(given, type) and issubclass(given, base)):
        raise TypeError(f"it is {given!r:.80}, which is no subclass of {base.__name__}")
    _check_whole(given)


def _check_whole(given: Any) -> None:
    """Refuse a class that cannot be made, since a method of its base is not written."""
    names = sorted(getattr(given, "__abstractmethods__", ()))
    if names:
        raise TypeError(f"it lacks {' and '.join(names)}")


def _check_name(what: str, name: str) -> None:
    """Refuse a name that could not be told from the model or the parameters behind it."""
    if not isinstance(name, str) or ":" in name or not _is_word(name):
        raise ValueError(f"{what}'s name is one word without ':'; this one is {name!r:.80}")


def _is_word(text: str) -> bool:
    """Return whether a text is one word that a terminal shows as it stands."""
    return text.split() == [text] and text.isprintable()


def _model(driver: type) -> str:
    model = getattr(driver, "model", "")
    return model if isinstance(model, str) else ""


def _validator(item: tuple[str, Any]) -> ValidatorEntry:
    name, validator = item
    if not callable(validator):
        raise TypeError(f"it is {validator!r:.80}; give a class or a function that makes one")
    _check_whole(validator)
    _check_name("an output validator", name)
    example = getattr(validator, "example", "")
    return ValidatorEntry(
        name=name,
        description=_summary(validator),
        parameters=_parameters(validator),
        example=example if isinstance(example, str) else "",
    )


def _parameters(validator: Callable[..., Any]) -> str:
    """Return what a validator takes behind its name: what it says, or its first argument."""
    said = getattr(validator, "parameters", "")
    if isinstance(said, str) and said:
        return said
    try:
        given = list(inspect.signature(validator).parameters.values())[:1]
    except (TypeError, ValueError):  # some of native code have none to read
        return ""
    for one in given:
        if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD):
            name = one.name.upper()
            return name if one.default is one.empty else f"[{name}]"
    return ""


def _options(maker: ToolMaker) -> Iterator[OptionEntry]:
    if not isinstance(maker.source, type):
        return
    meanings = field_meanings(maker.source)
    for name, option in options_of(maker.source).items():
        if name not in _OF_EVERY_TOOL:
            yield OptionEntry(
                tool=maker.key,
                name=name,
                type=type_words(option_type(option)),
                required=option.default is REQUIRED,
                default=None if option.default is REQUIRED else plain(option.default),
                description=meanings.get(name, ""),
            )


#: The options that each tool has; they stand in the settings as `tools.disabled`.
_OF_EVERY_TOOL = options_of(BaseTool)


def _guard(source: Any) -> NamedEntry:
    guard = make_guard(source)
    return NamedEntry(type(guard).__name__, _summary(type(guard)))


def _command(command: Any) -> CommandEntry:
    from click import Command  # only plugins that have some need it here

    if not isinstance(command, Command):
        raise TypeError("it is no command of click")
    name = command.name or ""
    if name.startswith("-") or not _is_word(name):
        raise ValueError(f"a command's name is one word; this one has {name!r}")
    return CommandEntry(name, command.get_short_help_str(100), command.hidden)


def _executor(item: tuple[str, Any]) -> NamedEntry:
    name, source = item
    _check_name("an executor", name)
    if not callable(source) or (isinstance(source, type) and not issubclass(source, Executor)):
        raise TypeError(f"it is {source!r:.80}; give a class or a function that makes an Executor")
    return NamedEntry(name, _summary(source))


def _dialect(dialect: Any) -> DialectEntry:
    _check_class(dialect, BaseDialect)
    if not dialect.name:
        raise ValueError("it has no name")
    _check_name("a dialect", dialect.name)
    return DialectEntry(dialect.name, _summary(dialect), dialect.native)


def _summary(documented: Any) -> str:
    text = inspect.cleandoc(getattr(documented, "__doc__", None) or "")
    return " ".join(text.split("\n\n")[0].split())
