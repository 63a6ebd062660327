"""`agenthost run`: put a question to a model, and let it use the tools."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, TextIO

import click
from click.exceptions import NoSuchOption

from agenthost.actions.permission import Approver
from agenthost.choice import Choice
from agenthost.cli.approval import ask_on_terminal
from agenthost.cli.failures import DENIED, INVALID, LIMIT, OK, CommandFailure
from agenthost.cli.output import (
    json_option,
    output_kept_clean,
    print_data,
    print_json,
    without_keys,
)
from agenthost.cli.progress import Progress
from agenthost.cli.session import Session, pass_session, warn
from agenthost.host import Host
from agenthost.records.bus import RunCancelled
from agenthost.tasks.limits import Limits
from agenthost.tasks.run import Run
from agenthost.tasks.subtasks import ActionsSubtask
from agenthost_sdk.artifacts import ErrorArtifact
from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.errors import (
    AgenthostError,
    NoDriverError,
    OptionError,
    SchemaError,
    SettingsError,
)

#: What an action fails with that was never started.
_NOT_RUN = frozenset(("denied", "invalid-input", "not-found"))


class _Asking(click.Command):
    """A command that takes a question, and says where one that begins with a dash has to stand."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except (NoSuchOption, click.MissingParameter) as error:
            question = next(filter(_is_question, given), None)
            if question is None:
                raise
            hint = (
                f"Before a question that begins with a dash goes --: agenthost run -- {question!r}"
            )
            raise click.UsageError(f"{error.format_message()} {hint}", ctx) from error


def _is_question(given: str) -> bool:
    """Return whether something that begins with a dash is no option."""
    first = given.split(None, 1)[0] if given.strip() else ""
    return first.startswith("-") and "=" not in first and (first != given or first[1:].isdigit())


@click.command(
    cls=_Asking,
    epilog="The answer goes to standard output, what happens on the way to standard error. Exits"
    " with 6 where actions were denied and none ran, though the model answered.",
)
@click.argument("question")
@click.option(
    "-t",
    "--tool",
    "tools",
    multiple=True,
    metavar="TOOL",
    help="Offer only this tool; repeatable.",
)
@click.option("-m", "--model", metavar="DRIVER[:MODEL]", help="Which model runs.")
@click.option("--base-url", metavar="URL", help="The address of the model's server.")
@click.option("--text-tools", is_flag=True, help="Short for --dialect actions_json.")
@click.option("--dialect", metavar="NAME", help="The reply format; see `dialects list`.")
@click.option(
    "--schema",
    metavar="FILE",
    help="The answer must be JSON that fits this schema: a file, or the schema itself.",
)
@click.option(
    "--validator",
    "validators",
    multiple=True,
    metavar="NAME[:PARAMETERS]",
    help="Must accept the answer; repeatable; see `validators list`.",
)
@click.option("--rule", "rules", multiple=True, metavar="TEXT", help="A rule for the model.")
@click.option("--stream/--no-stream", default=None, help="Show the answer as it comes.")
@click.option(
    "--max-subtasks", type=click.IntRange(min=1), metavar="N", help="Rounds of actions at most."
)
@click.option("--allow", multiple=True, metavar="PATTERN", help="Run these tools unasked.")
@click.option("--deny", multiple=True, metavar="PATTERN", help="Never run these tools.")
@click.option("-y", "--yes", is_flag=True, help="Run every action that is not denied.")
@json_option
@pass_session
def run(session: Session, /, question: str, **options: Any) -> int:
    """Put a question to a model, and let it use the tools. `-` reads it from standard input.

    \b
    agenthost run "What is 23 * 19?"
    agenthost run -t Units -m openai:gpt-6-luna "How long is a marathon in miles?"
    agenthost run -m openai:qwen3 --base-url http://127.0.0.1:8080/v1 "Hello"
    """
    host = Host(settings=session.settings)
    asked = sys.stdin.read() if question == "-" else question
    if not asked.strip():
        raise click.UsageError("The question is empty.")
    dialect = _dialect(options["dialect"], text_tools=options["text_tools"])
    schema = _schema(options["schema"])
    with output_kept_clean() as output:
        chosen = {**options, "dialect": dialect}
        done, progress = _run(session, host, asked, schema, chosen, output)
    return _finish(done, progress, as_json=options["as_json"])


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


def _run(
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
        permissions=host.permissions(
            allow=options["allow"],
            deny=options["deny"],
            allow_all=options["yes"],
            approver=_approver(),
        ),
        limits=_limits(session, options["max_subtasks"]),
        listeners=[progress],
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


def _approver() -> Approver | None:
    return ask_on_terminal if sys.stdin.isatty() and sys.stderr.isatty() else None


def _limits(session: Session, max_subtasks: int | None) -> Limits:
    limits = Limits(**session.settings.limits)
    return replace(limits, max_subtasks=max_subtasks) if max_subtasks else limits


def _finish(run: Run, progress: Progress, *, as_json: bool) -> int:
    failure = _failure(run)
    if as_json:
        print_data("run", to_json(run), is_foreign=True)
        return failure.code if failure else _ending(run)
    if failure:
        raise failure
    if run.setup.output is not None and run.output is not None:
        print_json(run.output.to_json(), is_foreign=True)
    elif not progress.has_shown(run.output):
        click.echo(without_keys(str(run.output)))
    if run.stopped_by not in ("answer", "actions", "judge", "refusal"):
        words = _ENDINGS.get(run.stopped_by, f"The run reached its limit {run.stopped_by}")
        click.echo(f"{words}; this answer may not be whole.", err=True)
    return _ending(run)


_ENDINGS = {"length": "The answer broke off at the model's limit of tokens"}


def _ending(run: Run) -> int:
    """Return the exit code of a run that was answered."""
    codes = _codes(run)
    return DENIED if "denied" in codes and _NOT_RUN.issuperset(codes) else OK


def _codes(run: Run) -> Counter[str]:
    """Count the actions by the word for how they failed; "" for those that did not."""
    outputs = [action.output for subtask in run.subtasks for action in subtask.actions]
    return Counter(one.code if isinstance(one, ErrorArtifact) else "" for one in outputs)


def _failure(run: Run) -> CommandFailure | None:
    if not isinstance(run.output, ErrorArtifact):
        return None
    from agenthost.cli.failures import exit_code  # only a failed run needs it

    error = run.output.exception
    if isinstance(error, AgenthostError):
        return CommandFailure(str(error), exit_code(error), run.output.code)
    if error is not None:
        return CommandFailure(run.output.value, word=run.output.code)
    if run.output.code != "limit":
        return CommandFailure(run.output.value, word=run.output.code)
    code = INVALID if run.stopped_by == "max_output_repairs" else LIMIT
    return CommandFailure(run.output.value, code, run.output.code)


def to_json(run: Run) -> dict[str, Any]:
    """Return a run as a JSON object."""
    failed = isinstance(run.output, ErrorArtifact)
    output = run.output.to_json() if run.output else None
    driver = run.setup.driver
    return {
        "id": run.id,
        "model": f"{driver.title}:{driver.model}",
        "output": None if failed else output,
        "error": output if failed else None,
        "stopped_by": run.stopped_by,
        "denied": _codes(run)["denied"],
        "seconds": round(run.seconds, 3),
        "usage": {
            "input_tokens": run.usage.input_tokens,
            "output_tokens": run.usage.output_tokens,
            "cached_tokens": run.usage.cached_tokens,
            "cache_written_tokens": run.usage.cache_written_tokens,
            "reasoning_tokens": run.usage.reasoning_tokens,
            "total_tokens": run.usage.total_tokens,
        },
        "subtasks": [_subtask(subtask) for subtask in run.subtasks],
    }


def _subtask(subtask: ActionsSubtask) -> dict[str, Any]:
    return {
        "thought": subtask.thought,
        "actions": [
            {
                **action.to_dict(),
                "native": action.native,
                "output": action.output.to_json() if action.output else None,
                "failed": action.failed,
                "repairs": list(action.repairs),
            }
            for action in subtask.actions
        ],
    }
