"""Turn what went wrong into one line (or JSON) and an exit code; a bug keeps its traceback."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from agenthost.cli.output import print_error
from agenthost.cli.visible import visible
from agenthost_sdk import errors
from agenthost_sdk.errors import AgenthostError

OK, FAILURE, USAGE, DEFECT, NOT_FOUND, INVALID, DENIED, LIMIT, INTERRUPTED = (
    *range(8),
    130,
)

#: The exit code and the word for programs of each handled error; the first that fits counts.
_CODES: tuple[tuple[type[AgenthostError], int, str], ...] = (
    (errors.DefinitionError, DEFECT, "definition"),
    (errors.PluginError, DEFECT, "plugin"),
    (errors.SettingsError, USAGE, "settings"),
    (errors.NotFoundError, NOT_FOUND, "not-found"),
    (errors.NoDriverError, NOT_FOUND, "no-driver"),
    (errors.InvalidInput, INVALID, "invalid-input"),
    (errors.DeniedError, DENIED, "denied"),
    (errors.LimitError, LIMIT, "limit"),
    (errors.DriverError, FAILURE, "driver"),
    (errors.ToolError, FAILURE, "tool"),
    (AgenthostError, FAILURE, "failure"),
)


#: The words that no handled error stands behind.
_FURTHER = (
    (FAILURE, "bug"),
    (USAGE, "usage"),
    (INTERRUPTED, "interrupted"),
)


class CommandFailure(AgenthostError):  # noqa: N818 - it says how a command ended
    """A command ends with a code of its own; the message is for the person.

    Args:
        message: What happened.
        code: The exit code.
        word: The word for it; one of those that `words_of` has for the code.
        reason: What is known of it more closely, in a word that others chose.
    """

    def __init__(
        self, message: str, code: int = FAILURE, word: str = "failure", reason: str = ""
    ) -> None:
        super().__init__(message)
        self.code = code
        self.word = word
        self.reason = reason


def words_of(code: int) -> list[str]:
    """Return the words for programs that an exit code may come with."""
    rows = [*_FURTHER, *((number, word) for _, number, word in _CODES)]
    return [word for number, word in rows if number == code]


def guarded(command: click.Command, arguments: Sequence[str]) -> int:
    """Run a command and return its exit code; what it raises is reported here."""
    given = list(arguments)
    try:
        code = command.main(given, prog_name="agenthost", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()  # whoever read it has enough
        return FAILURE
    except (click.Abort, KeyboardInterrupt):  # the second where it comes at the very end
        return _reported_interrupt(given)
    except click.ClickException as error:
        return _reported_usage(error, given)
    except AgenthostError as error:
        return _reported(error, given)
    except OSError as error:
        if error.errno not in _CANNOT_WRITE:
            return _reported_bug(error, given)
        _drop_output()
        return _reported(CommandFailure(f"The output cannot be written: {error}."), given)
    except Exception as error:  # a bug keeps its traceback, less the keys in it
        return _reported_bug(error, given)
    return code if isinstance(code, int) else OK


#: Where a disk is full, or a device broken.
_CANNOT_WRITE = (errno.ENOSPC, errno.EIO)


def _drop_output() -> None:
    """Let what is left of the output go nowhere; a second try at the exit would complain aloud."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def print_traceback(error: BaseException) -> None:
    """Print a traceback on stderr, without the keys in it."""
    import traceback  # few commands end with one

    click.echo(_without_keys("".join(traceback.format_exception(error))), nl=False, err=True)


def exit_code(error: AgenthostError) -> int:
    """Return the exit code of a handled error."""
    return _code(error)[0]


def _code(error: AgenthostError) -> tuple[int, str]:
    if isinstance(error, CommandFailure):
        return error.code, error.word
    return next((code, word) for kind, code, word in _CODES if isinstance(error, kind))


def _reported(error: AgenthostError, given: Sequence[str]) -> int:
    code, word = _code(error)
    if _wants_json(given):
        message = _without_keys(str(error))
        print_error({"code": word, "exit": code, "message": message, **_facts(error)})
    else:
        click.echo(f"Error: {visible(_without_keys(str(error)))}", err=True)
    if "--debug" in given or os.environ.get("AGENTHOST_DEBUG", "0") not in ("", "0", "false"):
        print_traceback(error)
    return code


def _facts(error: AgenthostError) -> dict[str, Any]:
    if isinstance(error, errors.NotFoundError):
        return {"kind": error.kind, "asked": error.asked, "near": error.near}
    if isinstance(error, errors.InvalidInput):
        return {"problems": [_problem(problem) for problem in error.problems]}
    if isinstance(error, CommandFailure) and error.reason:
        return {"reason": error.reason}
    return {}


def _problem(problem: Any) -> dict[str, str]:
    return {
        "pointer": str(getattr(problem, "pointer", "")),
        "message": _without_keys(str(getattr(problem, "message", problem))),
    }


def _reported_usage(error: click.ClickException, given: Sequence[str]) -> int:
    if _wants_json(given):
        # The command of a plugin may end so for other reasons than how it was called.
        word = "usage" if error.exit_code == USAGE else "failure"
        message = error.format_message()
        print_error({"code": word, "exit": error.exit_code, "message": message})
    else:
        error.show()
    return error.exit_code


def _reported_interrupt(given: Sequence[str]) -> int:
    if _wants_json(given):
        print_error({"code": "interrupted", "exit": INTERRUPTED, "message": "Interrupted."})
    else:
        click.echo("Interrupted.", err=True)
    return INTERRUPTED


def _reported_bug(error: Exception, given: Sequence[str]) -> int:
    if _wants_json(given):
        message = _without_keys(f"{type(error).__name__}: {error}")
        print_error({"code": "bug", "exit": FAILURE, "message": message})
    print_traceback(error)
    return FAILURE


def _wants_json(given: Sequence[str]) -> bool:
    options = given[: given.index("--")] if "--" in given else given
    return "--json" in options


def _without_keys(text: str) -> str:
    """Return a text without the keys of this process, whoever put them into it."""
    from agenthost_sdk.redaction import without_keys  # only what went wrong needs it

    return without_keys(text)
