"""Read the name of a new plugin, and say what everything in it is called."""

from __future__ import annotations

import builtins
import keyword
import re
from dataclasses import dataclass

import agenthost_sdk

#: What the distribution of every plugin is called by, in front of the plugin's own name.
PREFIX = "agenthost-plugin-"

#: Providers take 64 characters for a native name, in which an activity is to have room too; and
#: the longest lines that are generated have it twice.
LONGEST = 30

#: The entry point that the host itself has.
_HOST = "agenthost"

_LEGAL = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", re.ASCII)

#: What the generated modules import, beside what they have from the sdk.
_IMPORTED = {"Literal"}


@dataclass(frozen=True)
class PluginNames:
    """The names of one plugin, made by `read` of what a person typed."""

    #: The plugin's own name and its entry point's, such as "my-weather".
    short: str

    @classmethod
    def read(cls, typed: str) -> PluginNames:
        """Return the names that follow from one, given with the prefix or without it.

        Raises:
            ValueError: No legal distribution, module or class can be named so.
        """
        short = re.sub(r"[-_.\s]+", "-", typed.strip()).lower().removeprefix(PREFIX)
        names = cls(short)
        fault = _spelling_fault(short) or _clash(names)
        if fault:
            raise ValueError(f"{typed!r} cannot be the name of a plugin: {fault}")
        return names

    @property
    def distribution(self) -> str:
        """What is installed, such as "agenthost-plugin-my-weather"."""
        return PREFIX + self.short

    @property
    def module(self) -> str:
        """What is imported, such as "agenthost_plugin_my_weather"."""
        return self.distribution.replace("-", "_")

    @property
    def title(self) -> str:
        """What its classes are called by, such as "MyWeather"; the tool bears this name alone."""
        return "".join(part[0].upper() + part[1:] for part in self.short.split("-"))

    @property
    def word(self) -> str:
        """The name as an identifier, such as "my_weather"."""
        return self.short.replace("-", "_")


def _spelling_fault(short: str) -> str:
    if not _LEGAL.fullmatch(short):
        return (
            "it needs a letter first, then letters and digits (ASCII), with hyphens between"
            " words, such as my-weather."
        )
    if len(short) > LONGEST:
        return f"it has {len(short)} characters; {LONGEST} are the most."
    return ""


def _clash(names: PluginNames) -> str:
    """Return what a name would hide; the modules, all prefixed, hide none of Python's own."""
    if names.short == _HOST:
        return "it is the host's own. Choose another, such as my-agenthost."
    taken = {*dir(builtins), *keyword.kwlist, *agenthost_sdk.__all__, *_IMPORTED}
    endings = ("", "Validator", "PromptDriver", "Dialect")
    classes = [f"{names.title}{ending}" for ending in endings]
    hidden = next((one for one in classes if one in taken), "")
    return f"a class {hidden} would hide the one that there is. Choose another." if hidden else ""
