"""What the commands of one call share: settings and catalog, read when they are asked for."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import click

if TYPE_CHECKING:
    from agenthost.host import Host
    from agenthost.registry.catalog import Catalog
    from agenthost.registry.plugins import Registry
    from agenthost.settings import Settings


class Session:
    """The settings and the catalog of this call; the help needs neither.

    Args:
        debug: Show tracebacks.
        plugins: What `-p` was given: "NAME" or "no:NAME".
        functions: Files whose functions are tools in this call.
    """

    def __init__(
        self,
        *,
        debug: bool = False,
        plugins: Sequence[str] = (),
        functions: Sequence[str] = (),
    ) -> None:
        self.debug = debug
        self._plugins = plugins
        self._functions = functions

    @classmethod
    def of(cls, params: Mapping[str, Any]) -> Self:
        """Return the session that the options of `agenthost` itself ask for."""
        return cls(
            debug=bool(params.get("debug")),
            plugins=params.get("plugins") or (),
            functions=params.get("functions") or (),
        )

    @cached_property
    def settings(self) -> Settings:
        """The person's settings, and what the options of this call change in them."""
        from agenthost.settings import Settings

        settings = Settings.load()
        if self._plugins:
            settings = settings.with_plugins(self._plugins)
        if self._functions:
            settings = settings.with_options("Functions", {"files": list(self._functions)})
            sources = {**settings.sources, "tools.Functions": "--functions"}
            settings = settings._replace(sources=sources)
        return settings

    @cached_property
    def catalog(self) -> Catalog:
        """What the plugins contribute; what is wrong with them is told once, on stderr."""
        from agenthost.registry.catalog import load_catalog

        return self.told(self._checked(load_catalog(self.settings)))

    @cached_property
    def fresh_catalog(self) -> Catalog:
        """The same, untold, with every plugin asked anew where one of them failed."""
        from agenthost.registry.catalog import load_catalog, rebuild_catalog

        known = load_catalog(self.settings)
        failed = any(plugin.state == "failed" for plugin in known.plugins)
        return rebuild_catalog(self.settings) if failed else known

    @cached_property
    def registry(self) -> Registry:
        """The plugins themselves, which find the keys that this person keeps."""
        from agenthost.keys import use_key_store
        from agenthost.registry.plugins import Registry

        use_key_store()
        registry = Registry(self.settings)
        if self._functions:
            self._checked(registry.catalog)
        return registry

    @cached_property
    def host(self) -> Host:
        """The host of this call, for commands of plugins."""
        from agenthost.host import Host

        host = Host(settings=self.settings)
        host.registry = self.registry
        return host

    def _checked(self, catalog: Catalog) -> Catalog:
        """Refuse `--functions` where a file is missing, or nothing takes the files."""
        missing = [one for one in self._functions if not os.path.exists(os.path.expanduser(one))]
        if missing:
            from agenthost_sdk.errors import SettingsError

            raise SettingsError(f"--functions: There is no file {', '.join(missing)}.")
        if self._functions and "Functions" not in catalog.tool_keys:
            from agenthost_sdk.errors import SettingsError

            raise SettingsError(
                "--functions needs the plugin agenthost-plugin-functions, and it is not installed"
                " or turned off. Install it: `agenthost plugins install functions`."
            )
        return catalog

    def told(self, catalog: Catalog) -> Catalog:
        """Tell on stderr what is wrong with the plugins, and return the catalog."""
        from agenthost.registry.selection import unmatched_settings

        for line in (*catalog.problems(), *unmatched_settings(catalog, self.settings)):
            warn(line)
        self.show_tracebacks(catalog)
        return catalog

    def show_tracebacks(self, catalog: Catalog) -> None:
        """Print on stderr, for those who debug, what the plugins raised."""
        for plugin in catalog.plugins:
            if self.debug and plugin.detail:
                click.echo(plugin.detail, err=True)


pass_session = click.make_pass_decorator(Session)


def warn(line: str) -> None:
    """Print a line for the person, beside the output."""
    click.echo(f"{click.style('agenthost:', fg='yellow')} {line}", err=True)


def colour_of(choice: str) -> bool | None:
    """Return whether to colour; None leaves it to whether a terminal is there."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return True if os.environ.get("FORCE_COLOR") else None


def help_width() -> int:
    """Return the width of help texts, as click reckons it, without importing shutil for it."""
    try:
        columns = int(os.environ.get("COLUMNS", 0)) or os.get_terminal_size(1).columns
    except (ValueError, OSError):
        columns = 80
    return max(min(columns, 80) - 2, 50)
