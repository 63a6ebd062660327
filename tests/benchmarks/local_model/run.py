"""Measure the model that ships: right tool, right input, right answer, time and memory.

    uv run python tests/benchmarks/local_model/run.py [--model local] [--questions FILE] [-v]

It needs the tools of the workspace and, once, the package index. See README.md for the judging.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import statistics
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agenthost import Host, Run

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Outcome:
    """What a question led to, and how it is judged."""

    tool: str | None
    question: str
    called: str
    answer: str
    is_right_tool: bool
    is_right_input: bool
    is_right_answer: bool
    seconds: float


def main() -> None:
    arguments = _arguments()
    questions = json.loads(arguments.questions.read_text("utf-8"))["questions"]
    host = Host()
    began = time.process_time()
    _warm_up(host, arguments.model)
    loading = time.process_time() - began
    outcomes = []
    for question in questions:
        outcomes.append(_outcome(host, arguments.model, question))
        if arguments.verbose:
            print(_line(outcomes[-1]), flush=True)
    print(_table(outcomes))
    print(_costs(outcomes, loading))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure a model on the questions.")
    parser.add_argument("--model", default="local", help="a driver, or DRIVER:MODEL")
    parser.add_argument("--questions", type=Path, default=HERE / "questions.json")
    parser.add_argument("-v", "--verbose", action="store_true", help="show each question")
    return parser.parse_args()


def _warm_up(host: Host, model: str) -> None:
    """Load the models, which happens once in a process, and have the examples embedded."""
    host.agent(model=model).run("What is 1 + 1?")


def _outcome(host: Host, model: str, question: Mapping[str, Any]) -> Outcome:
    began = time.process_time()
    run = host.agent(model=model).run(question["question"])
    seconds = time.process_time() - began
    actions = [action for subtask in run.subtasks for action in subtask.actions]
    first = actions[0] if actions else None
    wanted = question["tool"]
    is_right_tool = (first.native if first else None) == wanted and len(actions) <= 1
    given = dict(first.input) if first else {}
    is_right_input = is_right_tool and _is_right_input(host, question["inputs"], given)
    return Outcome(
        tool=wanted,
        question=question["question"],
        called=f"{first.native}({json.dumps(given, ensure_ascii=False)})" if first else "no tool",
        answer=str(run.value),
        is_right_tool=is_right_tool,
        is_right_input=is_right_input,
        is_right_answer=_is_right_answer(question, run, is_right_input=is_right_input),
        seconds=seconds,
    )


def _is_right_input(host: Host, accepted: Mapping[str, Any], given: Mapping[str, Any]) -> bool:
    if isinstance(accepted.get("expression"), Mapping):
        return _is_right_value(host, accepted["expression"], str(given.get("expression", "")))
    is_each_right = all(
        any(_matches(choice, given.get(name)) for choice in choices)
        for name, choices in accepted.items()
    )
    # What is not listed may be there only if it changes nothing, as an amount of 0.
    return is_each_right and not any(given[name] for name in given if name not in accepted)


def _is_right_value(host: Host, accepted: Mapping[str, Any], expression: str) -> bool:
    tool = host.toolbox(["Calculator_evaluate"]).tools[0]
    try:
        value = float(tool.evaluate(expression))  # type: ignore[attr-defined]
    except Exception:  # whatever the tool refuses is not right
        return False
    return abs(value - float(accepted["equals"])) <= float(accepted.get("tolerance", 1e-9))


def _matches(choice: Any, given: Any) -> bool:
    if choice is None or given is None:
        return choice is given or (choice is None and given in (0, ""))
    if isinstance(choice, int | float) and isinstance(given, int | float):
        return abs(choice - given) < 1e-9
    return _plain(choice) == _plain(given)


def _plain(value: Any) -> str:
    return str(value).strip().strip("\"'").strip().casefold()


def _is_right_answer(question: Mapping[str, Any], run: Run, *, is_right_input: bool) -> bool:
    entries = question["answer"]
    # The time in another zone looks like a right one, so the clock's questions need both.
    if any(isinstance(entry, Mapping) and "tool_result" in entry for entry in entries):
        return is_right_input and _holds_time(run)
    holds = _holds_case if question["tool"] == "Text_change_case" else _holds
    return not entries or any(holds(entry, str(run.value)) for entry in entries)


def _holds(entry: Any, text: str) -> bool:
    if isinstance(entry, str):
        return entry.casefold() in text.casefold()
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    numbers = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", plain)]
    return any(abs(number - entry["number"]) <= entry["tolerance"] for number in numbers)


def _holds_case(entry: str, text: str) -> bool:
    """Return whether a text holds the entry as it stands, and not as a part of a longer name."""
    return re.search(rf"(?<![\w-]){re.escape(entry)}(?![\w-])", text) is not None


def _holds_time(run: Run) -> bool:
    outputs = [str(a.output) for subtask in run.subtasks for a in subtask.actions]
    times = re.findall(r"\b\d\d:\d\d", " ".join(outputs))
    return any(time_ in str(run.value) for time_ in times)


def _line(outcome: Outcome) -> str:
    flags = (outcome.is_right_tool, outcome.is_right_input, outcome.is_right_answer)
    marks = "".join("+" if flag else "-" for flag in flags)
    told = f"    {outcome.called}\n    {outcome.answer!r}"
    return f"{marks} {outcome.seconds:5.2f} s {outcome.question!r}\n{told}"


def _table(outcomes: Sequence[Outcome]) -> str:
    asked = [outcome for outcome in outcomes if outcome.tool]
    names = dict.fromkeys(outcome.tool for outcome in asked)
    rows = [_row(str(name), [o for o in asked if o.tool == name]) for name in names]
    idle = [outcome for outcome in outcomes if not outcome.tool]
    declined = sum(outcome.is_right_tool for outcome in idle)
    head = f"{'':22}{'of':>4}{'tool':>8}{'input':>8}{'answer':>8}"
    return "\n".join(
        [head, *rows, _row("all", asked), f"no tool needed: {declined} of {len(idle)} called none"]
    )


def _row(name: str, outcomes: Sequence[Outcome]) -> str:
    count = len(outcomes)
    shares = (
        _percent((o.is_right_tool for o in outcomes), count),
        _percent((o.is_right_input for o in outcomes), count),
        _percent((o.is_right_answer for o in outcomes), count),
    )
    return f"{name:22}{count:>4}" + "".join(f"{share:>8}" for share in shares)


def _percent(flags: Iterable[bool], count: int) -> str:
    return f"{100 * sum(flags) / count:.0f} %"


def _costs(outcomes: Sequence[Outcome], loading: float) -> str:
    seconds = sorted(outcome.seconds for outcome in outcomes)
    # Linux counts in kibibytes, macOS in bytes.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    megabytes = peak / (1024 if sys.platform != "darwin" else 1024 * 1024)
    return (
        f"CPU seconds a question: median {statistics.median(seconds):.2f},"
        f" 90 % under {seconds[int(0.9 * len(seconds))]:.2f}; loading {loading:.1f} once\n"
        f"peak memory of the process: {megabytes:.0f} MB"
    )


if __name__ == "__main__":
    main()
