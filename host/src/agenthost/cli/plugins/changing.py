"""What the commands share that change which plugins are installed."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import ParamSpec, TypeVar

import click

from agenthost.installing.asked import (
    HOST_NAMES,
    AskedWronglyError,
    full_name,
    refuse_host,
)
from agenthost.installing.changes import Workshop
from agenthost.registry.discovery import find_plugins
from agenthost.registry.entries import HOST
from agenthost.settings import Settings
from agenthost_sdk.errors import NotFoundError

P = ParamSpec("P")
R = TypeVar("R")

#: What pip says of each thing that needs no doing.
_NOISE = "Requirement already satisfied"

_FURTHER = "agenthost.installing.further"


class WithFurther(click.Command):
    """A command whose arguments behind `--` are for the installer."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put aside what stands behind `--`."""
        if "--" in args:
            place = args.index("--")
            ctx.meta[_FURTHER] = tuple(args[place + 1 :])
            args = args[:place]
        return super().parse_args(ctx, args)


def further_arguments() -> tuple[str, ...]:
    """Return the arguments for the installer."""
    found: tuple[str, ...] = click.get_current_context().meta.get(_FURTHER, ())
    return found


def usage(function: Callable[P, R]) -> Callable[P, R]:
    """Let what was asked wrongly end the command as wrong usage does."""

    @functools.wraps(function)
    def reading(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except AskedWronglyError as error:
            raise click.UsageError(str(error)) from error

    return reading


def workshop(settings: Settings, *, as_json: bool) -> Workshop:
    """Return where plugins are installed; what an installer says goes to stderr.

    Args:
        settings: The person's, or what takes their place.
        as_json: Keep what the installer says for the message of a failure.
    """
    return Workshop(settings, None if as_json else _tell)


def _tell(line: str) -> None:
    if not line.lstrip().startswith(_NOISE):
        click.echo(click.style(line, dim=True), err=True)


@usage
def distributions_named(
    names: Sequence[str], recorded: Iterable[str], by_hand: Callable[[str], str]
) -> list[str]:
    """Return the distributions that the names of plugins, or their own, stand for.

    Args:
        names: What a person wrote.
        recorded: The distributions that were asked for once.
        by_hand: Returns what a person types to do the same with a distribution of the host.

    Raises:
        NotFoundError: A name that no plugin bears, and none that was asked for once.
        UsageError: A name of the host, or one that plugins of two distributions bear.
    """
    for name in names:
        own = full_name(name, exact=True)
        if own in HOST_NAMES:
            refuse_host(own, f"`{by_hand(own)}`")
    found = [plugin for plugin in find_plugins() if plugin.distribution != HOST]
    owners: dict[str, set[str]] = {}
    for plugin in found:
        owners.setdefault(plugin.name, set()).add(plugin.distribution)
    there = {plugin.distribution for plugin in found}.union(recorded)
    return list(dict.fromkeys(_named(name, owners, there) for name in names))


def _named(name: str, owners: dict[str, set[str]], there: set[str]) -> str:
    for one in (full_name(name, exact=True), full_name(name)):
        if one in there:
            return one
    bearing = sorted(owners.get(name, ()))
    if len(bearing) > 1:
        raise AskedWronglyError(f"{name} is a plugin of {' and of '.join(bearing)}. Name one.")
    if not bearing:
        raise NotFoundError("plugin", name, {*owners, *there})
    return bearing[0]
