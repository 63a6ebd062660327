"""The page of commands: usage, help and options of each, from click's own tree."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import click

from agenthost.cli.root import COMMANDS, cli
from generator.markdown import fenced, prose

#: Options that every command has.
_EVERYWHERE = ("--help",)


def page() -> str:
    """Return the page."""
    parts = ["# Commands", *_command(click.Context(cli, info_name="agenthost"), depth=2)]
    return "\n\n".join(parts) + "\n"


def _command(context: click.Context, depth: int) -> Iterator[str]:
    command = context.command
    yield f"{'#' * depth} {context.command_path}"
    yield fenced(" ".join((context.command_path, *command.collect_usage_pieces(context))), "text")
    yield from _help(command.help or "")
    options = list(_options(context))
    if options:
        yield "\n".join(options)
    yield from _help(command.epilog or "")
    for below in _below(context):
        yield from _command(below, min(depth + 1, 4))


def _help(text: str) -> Iterator[str]:
    """Yield the paragraphs of a help; those that click is told not to wrap are commands."""
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(text)):
        if paragraph.startswith("\b"):
            yield fenced(paragraph.removeprefix("\b"), "sh")
        elif paragraph:
            yield prose(paragraph)


def _options(context: click.Context) -> Iterator[str]:
    """Yield a row for each option that is no matter of course."""
    for parameter in context.command.get_params(context):
        record = parameter.get_help_record(context)
        if record and not any(name in _EVERYWHERE for name in parameter.opts):
            names, told = record
            yield f"- `{names}`: {prose(told)}" if told else f"- `{names}`"


def _below(context: click.Context) -> Iterator[click.Context]:
    """Yield the context of each command of a group; those of plugins are none of ours."""
    group = context.command
    if not isinstance(group, click.Group):
        return
    ours = [row.name for rows in COMMANDS.values() for row in rows]
    for name in ours if group is cli else group.list_commands(context):
        command = group.get_command(context, name)
        if command is not None and not command.hidden:
            yield click.Context(command, parent=context, info_name=name)
