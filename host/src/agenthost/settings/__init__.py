"""Read `agenthost.toml` and the environment into `Settings`, and write single settings back.

What the environment says goes before what the file says. The file:

    model = "openai:gpt-6-luna"        # DRIVER or DRIVER:MODEL
    dialect = "native"

    [tools]
    disabled = ["Units"]
    [tools.Inventory]                  # options of a tool, by the name of its class
    warehouse = "north"
    [tools.choose]                     # which plugin has a tool that two of them contribute
    Search = "agenthost-plugin-zebra"
    [tools.alias]                      # one more tool of a kind, with options of its own
    South = "inventory:Inventory"      # PLUGIN:TOOL; its options go into [tools.South]

    [plugins]
    disabled = ["noisy"]

    [permissions]
    allow = ["Files_read*"]            # patterns of native names
    deny = ["*_delete"]

    [limits]
    max_subtasks = 20

    [catalog]
    timeout = 60                       # seconds for asking all plugins what they contribute
    plugin_timeout = 20                # seconds for one of them

    [drivers.openai]                   # fields of a driver
    temperature = 0

    [drivers.groq]                     # a server with a name of its own, as in -m groq:MODEL
    driver = "openai"                  # the driver that speaks with it, and fields of that
    base_url = "https://api.groq.com/openai/v1"
    key_env = "GROQ_API_KEY"           # the variable, or kept key, that it takes
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from agenthost.folders import Folders, find_folders
from agenthost.settings.file import read_document, write_setting
from agenthost.settings.keys import SETTINGS, Setting, checked, parse_value, read_text, setting_of

__all__ = ["SETTINGS", "Setting", "Settings", "parse_value", "read_document", "write_setting"]


_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Settings(NamedTuple):
    """What the person decided; every field has a value that works without any file."""

    model: str | None = None
    dialect: str | None = None
    disabled_tools: tuple[str, ...] = ()
    disabled_plugins: tuple[str, ...] = ()
    #: None lets every plugin be imported that is not disabled.
    only_plugins: tuple[str, ...] | None = None
    #: Imported although they were made for another host.
    forced_plugins: tuple[str, ...] = ()
    #: Where activities run; in threads of the host's own where it is None.
    executor: str | None = None
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    #: Those limits that were set, by the name that `Limits` gives them.
    limits: Mapping[str, Any] = _NOTHING
    catalog_timeout: float = 60.0
    plugin_timeout: float = 20.0
    #: Options by the name of a tool's class.
    tool_options: Mapping[str, Mapping[str, Any]] = _NOTHING
    #: The plugin that has a tool which several contribute, by the tool's name.
    tool_choices: Mapping[str, str] = _NOTHING
    #: "PLUGIN:TOOL" by the name of a further tool of that kind.
    tool_aliases: Mapping[str, str] = _NOTHING
    #: Fields by the name of a driver.
    driver_options: Mapping[str, Mapping[str, Any]] = _NOTHING
    #: Where the files are; None means where this person's are.
    home: Folders | None = None
    #: Where each setting that was set comes from: the file's path, or a variable's name.
    sources: Mapping[str, str] = _NOTHING

    @classmethod
    def load(
        cls, home: str | os.PathLike[str] | None = None, environ: Mapping[str, str] = os.environ
    ) -> Self:
        """Read the settings of this person, or of the folder `home`.

        Raises:
            SettingsError: The file cannot be read, or something in it is no setting.
        """
        folders = Folders.under(os.fspath(home)) if home else find_folders(environ)
        path = folders.settings_file
        document = read_document(path)
        values = dict(checked(document, path))
        sources = dict.fromkeys(values, path)
        for setting, value in _from_environment(environ):
            values[setting.key], sources[setting.key] = value, setting.variable
        return cls(
            **_attributes(values),
            tool_options=_options(document, "tools", without=("choose", "alias")),
            tool_choices=dict(document.get("tools", {}).get("choose", {})),
            tool_aliases=dict(document.get("tools", {}).get("alias", {})),
            driver_options=_options(document, "drivers"),
            home=folders,
            sources=sources,
        )

    def with_plugins(self, words: Sequence[str]) -> Self:
        """Return the settings with plugins left out ("no:NAME") or no others let in ("NAME")."""
        out = [word[3:] for word in words if word.startswith("no:")]
        let_in = [word for word in words if not word.startswith("no:")]
        sources = dict(self.sources)
        sources.update({"plugins.disabled": "-p"} if out else {})
        sources.update({"plugins.only": "-p"} if let_in else {})
        return self._replace(
            disabled_plugins=(*self.disabled_plugins, *out),
            only_plugins=tuple(let_in) if let_in else self.only_plugins,
            sources=sources,
        )

    def with_options(self, tool: str, options: Mapping[str, Any]) -> Self:
        """Return the settings with further options of a tool."""
        known = self.tool_options.get(tool, {})
        return self._replace(tool_options={**self.tool_options, tool: {**known, **options}})

    @property
    def folders(self) -> Folders:
        """The folders of settings, data and caches."""
        return self.home or find_folders()

    @property
    def servers(self) -> dict[str, str]:
        """The driver behind each server that `[drivers.NAME]` gives a name of its own."""
        named = ((name, table.get("driver")) for name, table in self.driver_options.items())
        return {name: driver for name, driver in named if driver and isinstance(driver, str)}

    def value(self, setting: Setting) -> Any:
        """Return what a setting is set to, or its default."""
        value = getattr(self, setting.attribute)
        if setting.attribute == "limits":
            return value.get(setting.key.partition(".")[2])
        return list(value) if isinstance(value, tuple) else value


def _from_environment(environ: Mapping[str, str]) -> Iterator[tuple[Setting, Any]]:
    for setting in SETTINGS:
        text = environ.get(setting.variable)
        # An empty list means none at all, as in AGENTHOST_PLUGINS=""; an empty text, not set.
        if text is not None and (text.strip() or setting.kind == "texts"):
            where = f"{setting.variable}={text!r}"
            yield setting, read_text(setting, text, where)


def _attributes(values: Mapping[str, Any]) -> dict[str, Any]:
    attributes: dict[str, Any] = {}
    for key, value in values.items():
        setting = setting_of(key)
        if setting.attribute == "limits":
            attributes.setdefault("limits", {})[key.partition(".")[2]] = value
        else:
            attributes[setting.attribute] = tuple(value) if isinstance(value, list) else value
    return attributes


def _options(
    document: Mapping[str, Any], table: str, without: Collection[str] = ()
) -> dict[str, dict[str, Any]]:
    found = document.get(table, {})
    return {
        name: dict(value)
        for name, value in found.items()
        if isinstance(value, dict) and name not in without
    }
