"""`agenthost run`: put a question to a model, and let it use the tools."""

from __future__ import annotations

from typing import Any

import click
from click.exceptions import NoSuchOption

from agenthost.cli.names import (
    activity_names,
    dialect_names,
    file_names,
    model_names,
    tool_names,
    validator_names,
)
from agenthost.cli.output import json_option
from agenthost.cli.session import Session, pass_session


class _Asking(click.Command):
    """A command that takes a question, and says how one that it cannot read has to be written."""

    allow_extra_args = True  # they are the rest of a question, and refused with more words

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = list(args)
        try:
            further = super().parse_args(ctx, args)
        except (NoSuchOption, click.MissingParameter) as error:
            question = next(filter(_is_question, given), None)
            if question is None:
                raise
            hint = (
                f"Before a question that begins with a dash goes --: agenthost run -- {question!r}"
            )
            raise click.UsageError(f"{error.format_message()} {hint}", ctx) from error
        if further and not ctx.resilient_parsing:
            raise click.UsageError(
                f"The question is one argument, and {' '.join(further)!r} stands behind it. Put"
                ' all of it between quotes: agenthost run "What is 23 * 19?"',
                ctx,
            )
        return further


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
    shell_complete=tool_names,
    help="Offer only this tool; repeatable.",
)
@click.option(
    "-m",
    "--model",
    metavar="DRIVER[:MODEL]",
    shell_complete=model_names,
    help="Which model runs.",
)
@click.option("--base-url", metavar="URL", help="The address of the model's server.")
@click.option("--text-tools", is_flag=True, help="Short for --dialect actions_json.")
@click.option(
    "--dialect",
    metavar="NAME",
    shell_complete=dialect_names,
    help="The reply format; see `dialects list`.",
)
@click.option(
    "--schema",
    metavar="FILE",
    shell_complete=file_names,
    help="The answer must be JSON that fits this schema: a file, or the schema itself.",
)
@click.option(
    "--validator",
    "validators",
    multiple=True,
    metavar="NAME[:PARAMETERS]",
    shell_complete=validator_names,
    help="Must accept the answer; repeatable; see `validators list`.",
)
@click.option(
    "--executor", metavar="NAME", help="Where activities run: an executor of a plugin's."
)
@click.option("--rule", "rules", multiple=True, metavar="TEXT", help="A rule for the model.")
@click.option("--stream/--no-stream", default=None, help="Show the answer as it comes.")
@click.option(
    "--max-subtasks", type=click.IntRange(min=1), metavar="N", help="Rounds of actions at most."
)
@click.option(
    "--allow",
    multiple=True,
    metavar="PATTERN",
    shell_complete=activity_names,
    help="Run these tools unasked.",
)
@click.option(
    "--deny",
    multiple=True,
    metavar="PATTERN",
    shell_complete=activity_names,
    help="Never run these tools.",
)
@click.option("-y", "--yes", is_flag=True, help="Run every action that is not denied.")
@click.option("--no-input", is_flag=True, help="Ask nobody: refuse what needs a yes.")
@json_option
@pass_session
def run(session: Session, /, question: str, **options: Any) -> int:
    """Put a question to a model, and let it use the tools. `-` reads it from standard input.

    \b
    agenthost run "What is 23 * 19?"
    agenthost run -t Units -m openai:gpt-6-luna "How long is a marathon in miles?"
    agenthost run -m openai:qwen3 --base-url http://127.0.0.1:8080/v1 "Hello"
    """
    from agenthost.cli.running import answer  # the help and a shell's completion need none of it

    return answer(session, question, options)
