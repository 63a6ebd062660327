"""The commands that plugins add to `agenthost`: listed from the catalog, imported when used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click
from click.exceptions import NoSuchCommand

from agenthost.cli.lazy import LazyCommand, LazyGroup
from agenthost.cli.session import Session, warn
from agenthost_sdk.errors import AgenthostError, PluginError, SettingsError

if TYPE_CHECKING:
    from agenthost.registry.catalog_file import Help
    from agenthost.settings import Settings


#: What is an answer to the person, or theirs, and no fault of the plugin.
_FOR_THE_PERSON = (
    click.ClickException,
    click.Abort,
    click.exceptions.Exit,
    AgenthostError,
    BrokenPipeError,
    KeyboardInterrupt,
    SystemExit,
)


class RootGroup(LazyGroup):
    """The commands of `agenthost` itself and those of plugins."""

    def further(self, ctx: click.Context) -> Sequence[LazyCommand]:
        """Return the commands of plugins; none where the settings or the catalog are broken."""
        told = self._help(ctx)
        if told is None:
            return ()
        return [
            LazyCommand(name, "", f"{summary} [{plugin}]".strip())
            for name, summary, plugin in told.commands
        ]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command, whoever it belongs to."""
        if cmd_name in self._known:
            return super().get_command(ctx, cmd_name)
        if ctx.resilient_parsing:  # a shell completes, and no plugin is imported for that
            return click.Command(cmd_name)
        registry = _session(ctx).registry
        return registry.command(cmd_name) if cmd_name in registry.catalog.commands else None

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the help, and those that the help hides."""
        try:
            return [*self._known, *_session(ctx).registry.catalog.commands]
        except AgenthostError:  # settings or catalog are broken, and a command of ours says how
            return list(self._known)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the names and summaries, and tell which plugins have something wrong."""
        super().format_commands(ctx, formatter)
        told = self._help(ctx)
        for line in told.problems if told else ():
            warn(line)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what a plugin's own raises is told as its plugin's fault."""
        try:
            result = super().invoke(ctx)
        except _FOR_THE_PERSON:
            raise
        except BaseException as error:  # a panic of native code is no `Exception`
            name = ctx.invoked_subcommand or ""
            if name in self._known or not name:
                raise
            raise _failure(_session(ctx), name, error) from error
        # As click has it, what a plugin's command returns is no exit code.
        return result if ctx.invoked_subcommand in self._known else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; where there is none, tell which plugins may have it and cannot."""
        try:
            return super().resolve_command(ctx, args)
        except NoSuchCommand as error:
            if not error.possibilities:
                for line in _perhaps(_session(ctx), args[0]):
                    warn(line)
            raise

    def _help(self, ctx: click.Context) -> Help | None:
        key = "agenthost.help"  # asked for twice, for the names and for the problems
        if key not in ctx.meta:
            try:
                ctx.meta[key] = _known_help(_session(ctx).settings, wait=not ctx.resilient_parsing)
            except (SettingsError, PluginError):
                ctx.meta[key] = None  # the command that needs them says what is wrong
        told: Help | None = ctx.meta[key]
        return told


def _known_help(settings: Settings, *, wait: bool) -> Help | None:
    """Return what the help tells; who completes a line waits for no plugin to be asked."""
    from agenthost.registry.catalog_file import kept_help

    kept = kept_help(settings)
    if kept is not None or not wait:
        return kept
    from agenthost.registry.catalog import rebuild_catalog  # the rows are needed for this alone

    return rebuild_catalog(settings).help()


def _session(ctx: click.Context) -> Session:
    """Return the session of the call; a command is looked up before the group itself runs."""
    if ctx.obj is None:
        ctx.obj = Session.of(ctx.params)
    session: Session = ctx.obj
    return session


def _perhaps(session: Session, name: str) -> Iterator[str]:
    try:
        registry = session.registry
        yield from registry.catalog.problems()
        yield from filter(None, [registry.off_hint(name)])
    except AgenthostError:  # settings or catalog are broken, and a command of ours says how
        return


def _failure(session: Session, name: str, error: BaseException) -> AgenthostError:
    from agenthost.registry.loading import words

    _, plugin = session.registry.catalog.commands[name]
    return PluginError(
        f"Plugin {plugin.title}: its command {name!r} raised {words(error)}. For the"
        f" traceback: `agenthost --debug {name} …`."
    )
