"""Turn what a plugin's hooks gave into the rows of the catalog."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from agenthost.registry.entries import (
    ActivityEntry,
    DialectEntry,
    DriverEntry,
    DriversConfigEntry,
    EmbeddingEntry,
    ToolEntry,
    ValidatorEntry,
)
from agenthost.registry.isolation import encode
from agenthost.registry.loading import PLUGIN_FAILURES, LoadedPlugin, words
from agenthost_sdk.actions import ToolSpec
from agenthost_sdk.dialects import BaseDialect
from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.drivers_config import DriversConfig
from agenthost_sdk.embeddings import BaseEmbeddingDriver
from agenthost_sdk.errors import AgenthostError, DefinitionError, OptionError, SettingsError
from agenthost_sdk.events import check_listener
from agenthost_sdk.options import unknown_option
from agenthost_sdk.tools import BaseTool


class Options(NamedTuple):
    """The options of tools, as the settings have them."""

    #: By the name of the tool's class.
    by_tool: Mapping[str, Mapping[str, Any]]
    #: The settings file, for messages.
    file: str


@dataclass(frozen=True)
class ToolMaker:
    """What a plugin gave for a tool: a class, a factory, or the tool itself."""

    key: str
    place: int
    source: Any

    def make(self, options: Options) -> BaseTool:
        """Make the tool with its options.

        Raises:
            SettingsError: The settings give it an option that does not do.
            Exception: Whatever the plugin's code raises.
        """
        given = options.by_tool.get(self.key, {})
        try:
            self._check_names(given)
            tool = self.source if isinstance(self.source, BaseTool) else self.source(**given)
        except OptionError as error:
            if not self._is_by_setting(error, given):
                raise
            raise SettingsError(_setting_words(self.key, error, given, options.file)) from error
        if not isinstance(tool, BaseTool):
            raise TypeError(f"it gave {type(tool).__name__}, which is no BaseTool")
        return tool

    def _check_names(self, given: Mapping[str, Any]) -> None:
        """Refuse options that the class or function takes no argument for."""
        taken = () if isinstance(self.source, BaseTool) else _taken(self.source)
        for name in given:
            if taken is not None and name not in taken:
                problem = unknown_option(self.key, name, taken)
                raise OptionError(self.key, name, problem, is_known=False)

    def _is_by_setting(self, error: OptionError, given: Mapping[str, Any]) -> bool:
        is_missing = isinstance(self.source, type) and error.tool == self.key
        return error.option in given or is_missing


def tool_makers(plugin: LoadedPlugin) -> list[ToolMaker]:
    """Return what the plugin gave for its tools; what cannot be a tool is recorded as failed."""
    makers = []
    for place, source in enumerate(plugin.listed("agenthost_tools")):
        is_class = isinstance(source, type)
        if (issubclass(source, BaseTool) if is_class else isinstance(source, BaseTool)) or (
            callable(source) and not is_class
        ):
            makers.append(ToolMaker(_key(source), place, source))
        else:
            plugin.fail(f"agenthost_tools gave {source!r:.80}, which is no BaseTool.")
    return makers


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


def describe_tools(plugin: LoadedPlugin, options: Options) -> tuple[ToolEntry, ...]:
    """Return a row for each tool that can be made; the others are recorded as failed."""
    return tuple(_working(plugin, tool_makers(plugin), lambda maker: _tool(maker, options)))


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
    plugin: LoadedPlugin, items: Iterable[Any], describe: Callable[[Any], Any]
) -> Iterator[Any]:
    for item in items:
        try:
            row = describe(item)
            encode(row.to_json() if isinstance(row, ToolEntry) else row)
            yield row
        except AgenthostError as error:
            if isinstance(error, SettingsError) and isinstance(item, ToolMaker):
                plugin.fail_by_setting(str(error), item.key)
                continue
            plugin.fail(f"{_title(item)} cannot be used: {' '.join(str(error).split())}", error)
        except PLUGIN_FAILURES as error:
            plugin.fail(f"{_title(item)} cannot be used: {words(error)}.", error)


def _title(item: Any) -> str:
    if isinstance(item, ToolMaker):
        return f"tool {item.key}"
    return repr(item[0]) if isinstance(item, tuple) else _key(item)


def _key(source: Any) -> str:
    named = getattr(source, "func", source)  # functools.partial
    name = getattr(named, "__name__", type(named).__name__)
    return str(name)


def _taken(source: Any) -> tuple[str, ...] | None:
    """Return the names of the arguments that a callable takes; None where it takes any."""
    try:
        parameters = inspect.signature(source).parameters.values()
    except (TypeError, ValueError):  # some of native code have none to read
        return None
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return None
    return tuple(parameter.name for parameter in parameters)


def _setting_words(tool: str, error: OptionError, given: Mapping[str, Any], file: str) -> str:
    command = f"agenthost config set tools.{tool}.{error.option}"
    if error.option not in given:
        return f"{file}: [tools.{tool}] lacks {error.option}. {error} Set it: `{command} …`."
    mended = f"Mend it: `{command} …`. Or take it out" if error.is_known else "Take it out"
    wrong = f"{file}: [tools.{tool}] {error.option} is wrong. {error}"
    return f"{wrong} {mended}: `{command} --unset`."


def _tool(maker: ToolMaker, options: Options) -> ToolEntry:
    tool = maker.make(options)
    activities = tuple(_activity(tool, spec) for spec in tool.specs())
    if not activities:
        raise DefinitionError("it has no activity on offer; mark a method with @activity.")
    return ToolEntry(tool.name, maker.key, maker.place, tool.description, activities)


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
        dynamic=tool.activities[path].is_dynamic,
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


def _check_name(what: str, name: str) -> None:
    """Refuse a name that could not be told from the model or the parameters behind it."""
    if not name or ":" in name or name.split() != [name]:
        raise ValueError(f"{what}'s name is one word without ':'")


def _model(driver: type) -> str:
    model = getattr(driver, "model", "")
    return model if isinstance(model, str) else ""


def _validator(item: tuple[str, Any]) -> ValidatorEntry:
    name, validator = item
    if not callable(validator):
        raise TypeError(f"it is {validator!r:.80}; give a class or a function that makes one")
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


def _dialect(dialect: Any) -> DialectEntry:
    if not (isinstance(dialect, type) and issubclass(dialect, BaseDialect)):
        raise TypeError(f"it is {dialect!r:.80}, which is no subclass of BaseDialect")
    if not dialect.name:
        raise ValueError("it has no name")
    return DialectEntry(dialect.name, _summary(dialect), dialect.native)


def _summary(documented: Any) -> str:
    text = inspect.cleandoc(getattr(documented, "__doc__", None) or "")
    return " ".join(text.split("\n\n")[0].split())
