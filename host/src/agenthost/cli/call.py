"""Call one activity from the command line: found, validated, run, printed."""

from __future__ import annotations

import json
import sys
from typing import Any

from agenthost.actions.execution import run_actions
from agenthost.actions.guarding import passed
from agenthost.actions.permission import Permissions
from agenthost.actions.toolbox import Toolbox
from agenthost.actions.validation import Ready, validated
from agenthost.cli.failures import DENIED, FAILURE, LIMIT, OK, CommandFailure, print_traceback
from agenthost.cli.output import output_kept_clean, print_data, print_foreign, without_keys
from agenthost.cli.session import Session, warn
from agenthost.registry.selection import enabled_tools, off_hint
from agenthost_sdk.actions import NativeNames, ToolAction, native_specs
from agenthost_sdk.artifacts import BaseArtifact, ErrorArtifact
from agenthost_sdk.errors import DeniedError, InvalidInput, NotFoundError, SettingsError


def call(session: Session, name: str, text: str, *, as_json: bool) -> int:
    """Run one activity, print what came of it, and return the exit code.

    Raises:
        NotFoundError: No activity has that name.
        InvalidInput: The input is no JSON, or the activity's schema refuses it.
        PluginError: The activity's plugin cannot be used.
        DeniedError: The settings say that it never runs.
        CommandFailure: The activity failed.
    """
    native = _native(session, name)
    given = _read(text)
    with output_kept_clean():
        ready = _ready(session, native, given)
        ready = _guarded(session, ready)
        [output] = run_actions([ready], _untold, _untold)
    if isinstance(output, ErrorArtifact):
        raise _failure(output, debug=session.debug)
    _print(output, as_json=as_json)
    return OK


def _untold(*happened: Any) -> None:
    """Keep no record of the one action that the person sees happen."""


def _native(session: Session, name: str) -> str:
    """Return the native name that was meant; `TOOL.ACTIVITY` is taken as such."""
    catalog = session.registry.catalog
    wanted = enabled_tools(catalog, session.settings)
    pairs = [(owned.tool.name, path) for owned, paths in wanted for path in paths]
    tool, _, path = name.partition(".")
    if path and (tool, path) in pairs:
        return native_specs([(tool, path)])[0].native
    try:
        return NativeNames(native_specs(pairs)).resolve(name).native
    except NotFoundError as error:
        stopped = catalog.stopped_by_setting(name)
        if stopped:
            raise SettingsError(stopped) from None
        for line in catalog.problems():  # perhaps it belongs to a plugin that failed
            warn(line)
        raise NotFoundError("activity", name, error.known, _hint(session, name)) from None


def _hint(session: Session, name: str) -> str:
    """Return what helps someone who gave the name of a whole tool, or of one that is off."""
    catalog = session.registry.catalog
    for tool, _ in catalog.tools:
        if tool.name == name:
            natives = ", ".join(activity.native for activity in tool.activities)
            return f"{name} is a tool; its activities are {natives}."
    return off_hint(catalog, session.settings, name)


def _read(text: str) -> Any:
    if text == "-":
        text = sys.stdin.read()
    try:
        return json.loads(text, parse_constant=_refused)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise InvalidInput([f"The input is no JSON: {error.msg} at {where}."]) from error
    except (ValueError, RecursionError) as error:
        raise InvalidInput([f"The input is no JSON: {error}."]) from error


def _refused(word: str) -> Any:
    raise ValueError(f"{word} is no JSON value")


def _ready(session: Session, native: str, given: Any) -> Ready:
    loaded = session.registry.tool_of(native)
    toolbox = Toolbox([loaded.tool], {loaded.tool: loaded.origin})
    spec = toolbox.table.resolve(native)
    decision = Permissions(deny=session.settings.deny, allow_all=True).decide(spec)
    if decision and not decision.allowed:
        raise DeniedError(decision.reason)
    return validated(ToolAction("1", spec.name, spec.path, given), loaded.tool, spec)


def _guarded(session: Session, ready: Ready) -> Ready:
    """Let the guards of plugins look at the action, as they do in a run.

    Raises:
        DeniedError: One of them refuses it.
    """
    one = passed(ready, session.registry.guards())
    if isinstance(one, Ready):
        return one
    raise DeniedError(str(one.output))


def _failure(output: ErrorArtifact, *, debug: bool) -> CommandFailure:
    if debug and output.exception is not None:
        print_traceback(output.exception)
    code, word = _ENDS.get(output.code, (FAILURE, "tool"))
    return CommandFailure(output.value, code, word, output.code)


#: The exit code, and the word for programs, of what did not end by the tool's own fault.
_ENDS = {
    "timeout": (LIMIT, "limit"),
    "denied": (DENIED, "denied"),
    "executor": (FAILURE, "failure"),
}


def _print(output: BaseArtifact, *, as_json: bool) -> None:
    if as_json:
        data = {"type": output.type, "value": output.to_json()}
        print_data("artifact", data, is_foreign=True)
    else:
        print_foreign(without_keys(output.to_text()))
