"""Carry out `agenthost run`: choose the model, and have the agent run before the person's eyes."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, TextIO

import click

from agenthost.actions.permission import Approver, Permissions
from agenthost.choice import Choice
from agenthost.cli.approval import ask_on_terminal
from agenthost.cli.outcome import finish
from agenthost.cli.output import output_kept_clean
from agenthost.cli.progress import Progress
from agenthost.cli.session import Session, warn
from agenthost.host import Host
from agenthost.records.bus import RunCancelled
from agenthost.tasks.limits import Limits
from agenthost.tasks.run import Run
from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.errors import NoDriverError, OptionError, SchemaError, SettingsError


def answer(session: Session, question: str, options: Mapping[str, Any]) -> int:
    """Put a question to a model, print what came of it, and return the exit code.

    Args:
        session: The settings of this call.
        question: What is asked; "-" reads it from the standard input.
        options: Those of the command.
    """
    asked = sys.stdin.read() if question == "-" else question
    if not asked.strip():
        raise click.UsageError("The question is empty.")
    dialect = _dialect(options["dialect"], text_tools=options["text_tools"])
    schema = _schema(options["schema"])
    with session.host as host, output_kept_clean() as output:
        chosen = {**options, "dialect": dialect}
        done, progress = _carried_out(session, host, asked, schema, chosen, output)
    return finish(done, progress, as_json=options["as_json"])


def _dialect(named: str | None, *, text_tools: bool) -> str | None:
    if not text_tools:
        return named
    if named == "native":
        raise click.UsageError("--text-tools and --dialect native exclude each other: give one.")
    return named or "actions_json"


def _schema(given: str | None) -> dict[str, Any] | None:
    if given is None:
        return None
    from agenthost_sdk.schemas import read_schema  # few runs need it

    try:
        return read_schema(given)
    except SchemaError as error:
        raise SettingsError(f"--schema: {error}") from error


def _carried_out(
    session: Session,
    host: Host,
    asked: str,
    schema: dict[str, Any] | None,
    options: Mapping[str, Any],
    output: TextIO,
) -> tuple[Run, Progress]:
    choice = _choice(host, options["model"], options["base_url"])
    driver = choice.driver
    driver.stream = _streams(options, output)
    # An answer that must fit a schema is shown when it does, and not while it may not yet.
    shows = driver.stream and not options["as_json"] and schema is None
    progress = Progress(streams=shows, output=output)
    agent = host.agent(
        tools=options["tools"] or None,
        prompt_driver=driver,
        dialect=options["dialect"],
        rules=options["rules"],
        output_schema=schema,
        output_validators=options["validators"],
        permissions=_permissions(host, options),
        limits=_limits(session, options["max_subtasks"]),
        listeners=[progress],
        executor=options["executor"],
    )
    for line in _warnings(host, choice):
        warn(line)
    reason = f" ({choice.reason})" if choice.reason else ""
    progress.tell(f"model {driver.title}:{driver.model}{reason}")
    progress.native = agent.setup.dialect.native
    try:
        done = agent.run(asked)
    except RunCancelled as error:
        raise error.__cause__ or error from None  # why it was: nobody reads the answer
    progress.end()
    return done, progress


def _streams(options: Mapping[str, Any], output: TextIO) -> bool:
    chosen: bool | None = options["stream"]
    return output.isatty() if chosen is None else chosen


def _choice(host: Host, named: str | None, base_url: str | None) -> Choice[BasePromptDriver]:
    if named is not None and not named.partition(":")[0].strip():
        raise click.UsageError(f"-m {named!r} names no driver. Write DRIVER or DRIVER:MODEL.")
    if base_url is None:
        return host.choose_driver(named)
    if not base_url.strip():  # another server would be asked than the one that was meant
        raise click.UsageError("--base-url is empty. Write it as http://HOST:PORT/v1.")
    try:
        return host.choose_driver(named, base_url=base_url)
    except OptionError as error:
        if error.option != "base_url":
            raise
        raise click.UsageError(
            f"--base-url: {error.tool} asks no server whose address could be given. Name a driver"
            " that does, such as -m openai:MODEL."
        ) from error
    except NoDriverError as error:
        if named is not None:
            raise
        raise click.UsageError(
            "--base-url says where a server is, and nothing says whose driver speaks with it."
            " Name one, such as -m openai:MODEL."
        ) from error


def _warnings(host: Host, choice: Choice[BasePromptDriver]) -> Iterator[str]:
    """Yield what is wrong with the plugins, and which drivers were passed over for it."""
    yield from choice.passed_over
    told = " ".join(choice.passed_over)
    yield from (line for line in host.problems() if line not in told)


#: What lets an action run that nobody could be asked about.
_ADVICE = (
    "Whoever started this run can allow it with --allow {native} or --yes, or with"
    ' allow = ["{native}"] under [permissions] in agenthost.toml.'
)


def _permissions(host: Host, options: Mapping[str, Any]) -> Permissions:
    rules = host.permissions(
        allow=options["allow"],
        deny=options["deny"],
        allow_all=options["yes"],
        approver=None if options["no_input"] else _approver(),
    )
    return replace(rules, advice=_ADVICE)


def _approver() -> Approver | None:
    return ask_on_terminal if sys.stdin.isatty() and sys.stderr.isatty() else None


def _limits(session: Session, max_subtasks: int | None) -> Limits:
    limits = Limits(**session.settings.limits)
    return replace(limits, max_subtasks=max_subtasks) if max_subtasks else limits
