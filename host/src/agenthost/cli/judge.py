"""Let an output validator judge a text from the command line: made, asked, its verdict printed."""

from __future__ import annotations

from typing import Any

import click

from agenthost.cli.failures import INVALID, OK
from agenthost.cli.output import output_kept_clean, print_data
from agenthost.cli.session import Session, warn
from agenthost.tasks.consulting import checked
from agenthost_sdk.artifacts import TextArtifact, to_artifact
from agenthost_sdk.errors import NotFoundError
from agenthost_sdk.validators import BaseOutputValidator, Verdict


def judge(session: Session, named: str, content: bytes, *, as_json: bool) -> int:
    """Print what a validator makes of an answer, and return the exit code.

    Raises:
        NotFoundError: No validator has that name.
        SettingsError: It needs parameters, takes none, or cannot read these.
        PluginError: It cannot be made, or it raises.
    """
    answer = TextArtifact(_text(content))
    with output_kept_clean():
        verdict = checked(_validator(session, named), answer)
    if as_json:
        print_data("verdict", _row(verdict))
    else:
        click.echo(_words(verdict))
    return OK if verdict.accepted else INVALID


def _text(content: bytes) -> str:
    """Return the text of a file, without the line break that editors and `echo` put last."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise click.UsageError(f"The answer is no text in UTF-8: {error}.") from error
    return text.removesuffix("\n").removesuffix("\r")


def _validator(session: Session, named: str) -> BaseOutputValidator:
    try:
        return session.registry.make_validator(named)
    except NotFoundError:
        for line in session.registry.catalog.problems():  # perhaps its plugin failed
            warn(line)
        raise


def _row(verdict: Verdict) -> dict[str, Any]:
    word = "replaced" if verdict.output is not None else "accepted"
    return {
        "verdict": word if verdict.accepted else "refused",
        "accepted": verdict.accepted,
        "output": None if verdict.output is None else to_artifact(verdict.output).to_json(),
        "reason": verdict.reason,
    }


def _words(verdict: Verdict) -> str:
    if not verdict.accepted:
        return verdict.reason or "refused"
    return "accepted" if verdict.output is None else to_artifact(verdict.output).to_text()
