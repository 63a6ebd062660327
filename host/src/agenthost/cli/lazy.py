"""A group of commands whose modules are imported when they are used."""

from __future__ import annotations

import gc
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.exceptions import NoSuchCommand

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class LazyCommand(NamedTuple):
    """Where a command lives, and its line in the help."""

    name: str
    module: str
    summary: str
    #: What the module calls it, where that is not its own name.
    attribute: str = ""


class ListingGroup(click.Group):
    """A group that lists, where no command of it is named."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `list` in front of options alone."""
        if ctx.resilient_parsing:  # a shell completes what is not written yet
            return super().parse_args(ctx, args)
        first = args[0] if args else "--"
        if first.startswith("-") and first not in ctx.help_option_names:
            args = ["list", *args]
        return super().parse_args(ctx, args)


class LazyGroup(click.Group):
    """A group that knows its commands by name and summary only.

    Args:
        sections: The commands by the heading that they stand under in the help.
    """

    def __init__(
        self, *args: Any, sections: Mapping[str, Sequence[LazyCommand]], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self._sections = sections
        self._known = {row.name: row for rows in sections.values() for row in rows}

    def further(self, ctx: click.Context) -> Sequence[LazyCommand]:  # noqa: ARG002 - for others
        """Return the commands that are known only once something was looked up."""
        return ()

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the help."""
        return [*self._known, *(row.name for row in self.further(ctx))]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        row = self._known.get(cmd_name)
        if row is None:
            return super().get_command(ctx, cmd_name)
        command: click.Command = getattr(import_module(row.module), row.attribute or row.name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the arguments name, or say which ones are near."""
        name = args[0]
        if name not in self._known and not name.startswith("-") and not ctx.resilient_parsing:
            names = self.list_commands(ctx)
            if name not in names:
                raise NoSuchCommand(name, possibilities=names, ctx=ctx)
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """Return what a shell may complete here, and import no command for it."""
        from click.shell_completion import CompletionItem  # only a shell that completes needs it

        found = [
            CompletionItem(row.name, help=row.summary)
            for row in (*self._known.values(), *self.further(ctx))
            if row.name.startswith(incomplete)
        ]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command with the garbage collector on."""
        if not gc.isenabled():
            gc.freeze()
            gc.enable()
        return super().invoke(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the names and summaries, and import nothing for it."""
        further = self.further(ctx)
        sections = {**self._sections, "From plugins": further} if further else self._sections
        for heading, rows in sections.items():
            with formatter.section(heading):
                formatter.write_dl([(row.name, row.summary) for row in rows])
