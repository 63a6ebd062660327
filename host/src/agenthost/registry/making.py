"""Make the tools of a plugin, each with its options from the settings."""

from __future__ import annotations

import copy
import inspect
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from agenthost.registry.loading import LoadedPlugin
from agenthost_sdk.errors import OptionError, SettingsError
from agenthost_sdk.options import unknown_option
from agenthost_sdk.tools import BaseTool


class NotSetUpError(SettingsError):
    """A tool has an option without a default, and nothing in the settings is about it."""


class Options(NamedTuple):
    """The options of tools, as the settings have them."""

    #: By the name of the tool's class.
    by_tool: Mapping[str, Mapping[str, Any]]
    #: The settings file, for messages.
    file: str
    #: Further tools by name: "PLUGIN:TOOL", the tool of which each is another one.
    aliases: Mapping[str, str] = {}
    #: The tools whose options come from an option of this call, and that option.
    given_here: Mapping[str, str] = {}


@dataclass(frozen=True)
class ToolMaker:
    """What a plugin gave for a tool: a class, a factory, or the tool itself."""

    #: By what settings know it: the name of its class or function, or its alias.
    key: str
    place: int
    source: Any
    #: The name that an alias gives it; "" where it has its own.
    alias: str = ""

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
            words = _setting_words(self.key, error, given, options)
            kind = SettingsError if given else NotSetUpError
            raise kind(words) from error
        if not isinstance(tool, BaseTool):
            raise TypeError(f"it gave {type(tool).__name__}, which is no BaseTool")
        return self._named(tool)

    def _named(self, tool: BaseTool) -> BaseTool:
        if not self.alias:
            return tool
        if not isinstance(self.source, type):  # it may be the very tool that bears the first name
            tool = copy.copy(tool)
        tool.name = self.alias
        return tool

    def _check_names(self, given: Mapping[str, Any]) -> None:
        """Refuse options that the class or function takes no argument for."""
        taken = () if isinstance(self.source, BaseTool) else _taken(self.source)
        for name in given:
            if taken is not None and name not in taken:
                problem = unknown_option(self.key, name, taken)
                raise OptionError(self.key, name, problem, is_known=False)

    def _is_by_setting(self, error: OptionError, given: Mapping[str, Any]) -> bool:
        is_missing = isinstance(self.source, type) and error.tool == source_name(self.source)
        return error.option in given or is_missing


def tool_makers(
    plugin: LoadedPlugin, distribution: str, aliases: Mapping[str, str]
) -> list[ToolMaker]:
    """Return what the plugin gave for its tools, and further ones under another name.

    What cannot be a tool is recorded as failed.

    Args:
        plugin: The plugin.
        distribution: Its distribution, by which an alias may name it.
        aliases: "PLUGIN:TOOL" by the name of the further tool.
    """
    makers = []
    for place, source in enumerate(plugin.listed("agenthost_tools")):
        is_class = isinstance(source, type)
        if (issubclass(source, BaseTool) if is_class else isinstance(source, BaseTool)) or (
            callable(source) and not is_class
        ):
            makers.append(ToolMaker(source_name(source), place, source))
        else:
            plugin.fail(f"agenthost_tools gave {source!r:.80}, which is no BaseTool.")
    names = (plugin.name, distribution)
    return [*makers, *_aliased(makers, names, aliases)]


def _aliased(
    makers: list[ToolMaker], names: tuple[str, str], aliases: Mapping[str, str]
) -> Iterator[ToolMaker]:
    for alias, target in aliases.items():
        owner, _, tool = target.rpartition(":")
        if owner in names:
            yield from (
                ToolMaker(alias, maker.place, maker.source, alias)
                for maker in makers
                if maker.key == tool
            )


def watched_files(makers: Iterable[ToolMaker], options: Options) -> tuple[str, ...]:
    """Return the files, named in options, that decide what tools offer; see `BaseTool.watches`."""
    found = []
    for maker in makers:
        given = options.by_tool.get(maker.key, {})
        for option in getattr(maker.source, "watches", ()):
            named = given.get(option)
            texts = named if isinstance(named, list | tuple) else [named]
            # One that is relative stays so: in another folder it is another file.
            found += [os.path.expanduser(text) for text in texts if isinstance(text, str)]
    return tuple(dict.fromkeys(found))


def source_name(source: Any) -> str:
    """Return the name of a class, a function or an object, as a person knows it."""
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


def _setting_words(
    tool: str, error: OptionError, given: Mapping[str, Any], options: Options
) -> str:
    if tool in options.given_here:
        return f"{options.given_here[tool]}: {error}"
    file = options.file
    command = f"agenthost config set tools.{tool}.{error.option}"
    if error.option not in given:
        return f"{file}: [tools.{tool}] lacks {error.option}. {error} Set it: `{command} …`."
    mended = f"Mend it: `{command} …`. Or take it out" if error.is_known else "Take it out"
    wrong = f"{file}: [tools.{tool}] {error.option} is wrong. {error}"
    return f"{wrong} {mended}: `{command} --unset`."
