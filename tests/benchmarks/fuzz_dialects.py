"""Read random and damaged replies in every dialect, and look for one that breaks a promise.

    python tests/benchmarks/fuzz_dialects.py [--replies 1000000] [--seed 1] [--first 0]

A reply is put together of what models write (labels, fences, JSON, tags, prose), or is a good
one that was damaged; now and then it is long. The promises: `read` never raises; every reply has
actions, an answer or a problem, and only one of them; tags are unique; an action that bears no
error is on offer and has an object for its input; the round can be said again; up to 64 KB take
50 ms of the thread's CPU, and more in proportion. Prints counts and the slowest replies, and
ends with status 1 where a promise was broken. A reply depends on the seed and its number alone:
`--first N --replies 1` reads one again.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from agenthost.dialects import BUILT_IN
from agenthost_sdk.actions import NativeNames, ToolSpec, native_name
from agenthost_sdk.artifacts import TextArtifact
from agenthost_sdk.dialects import BaseDialect, Reply
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    Finish,
    Message,
    TextMessageContent,
)

#: Seconds of CPU for a reply of `SIZE` characters; a longer one has more in proportion.
SECONDS, SIZE = 0.05, 65_536

FINISHES: tuple[Finish, ...] = ("stop", "stop", "stop", "length", "incomplete", "refusal")

LABELS = (
    *("Thought:", "Action:", "Actions:", "Action Input:", "Observation:", "Final Answer:"),
    *(
        "Answer:",
        "Input:",
        "Thought 1:",
        "Action 2:",
        "**Action:**",
        "### Action",
        "action：",
        "Tool:",
    ),
    *("- Action Input:", "<|Response|>", "Response:", "Results:", "Obs", "<|Resp", "Actions ["),
)
NAMES = ("Stock", "Stock_count", "count", "Clock", "functions.Clock_now", "stock.COUNT", "search")
BITS = (
    *(
        "{",
        "}",
        "[",
        "]",
        '"',
        "'",
        ",",
        ":",
        "\n",
        " ",
        "\\",
        "```",
        "```json\n",
        "~~~",
        "`",
        "**",
    ),
    *("<think>", "</think>", "<tool_call>", "</tool_call>", "[TOOL_CALLS]", "null", "None", "NaN"),
    *(
        "true",
        "1e999",
        "0",
        "-",
        "//",
        "/*",
        "#",
        "\ud800",
        "\x00",
        "é",
        "“",
        "”",
        "\u202e",
        "\r\n",
    ),
    *('"tag": ', '"name": ', '"path": ', '"input": ', '"thought": ', '"answer": ', '"actions": ['),
    *("<function=Stock_count>", "<parameter=sku>", "</parameter>", '<invoke name="Clock_now">'),
    *("<arg_key>sku</arg_key>", "<arg_value>", "</arg_value>", "<|tool_call_begin|>", "`", "..."),
    *("<|channel|>commentary to=", "<|channel|>analysis<|message|>", "<|end|>", "🔧 "),
    *("Finish[", "Search[", "Final Answer", "(", ")", "$schema", "\t", "\ufeff", "I think.", "no"),
)


@dataclass
class Findings:
    """What was counted, and what was found to be wrong."""

    outcomes: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    #: Milliseconds for 64 KB, of the slowest long replies.
    slowest: list[tuple[float, str]] = field(default_factory=list)


def main() -> int:
    """Read the replies, print what came of them, and return the status."""
    options = _options()
    findings = Findings()
    since = time.perf_counter()
    dialects = [dialect() for dialect in BUILT_IN.values()]
    last = options.first + options.replies
    for number in range(options.first, last):
        _read(number, f"{options.seed}:{number}", dialects, findings)
        if number % 20_000 == 19_999:
            print(f"{number + 1:,} of {last:,}, faults: {len(findings.faults)}", flush=True)
    _report(options.replies, time.perf_counter() - since, findings)
    return 1 if findings.faults else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replies", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first reply")
    return parser.parse_args()


def _read(number: int, seed: str, dialects: list[BaseDialect], findings: Findings) -> None:
    chance = random.Random(seed)
    table = TABLES[chance.randrange(len(TABLES))]
    message = _message(chance)
    size = sum(len(block.to_text()) for block in message.content)
    for dialect in dialects:
        where = f"reply {number}, {dialect.name}"
        try:
            began = time.thread_time()
            reply = dialect.read(message, table)
            seconds = time.thread_time() - began
            faults = list(_faults(dialect, reply, table))
        except BaseException as error:
            findings.faults.append(f"{where}: {type(error).__name__}: {error}"[:300])
            continue
        findings.faults += [f"{where}: {fault}" for fault in faults]
        findings.outcomes[f"{dialect.name} {_outcome(reply)}"] += 1
        if size > SIZE // 8 or seconds > SECONDS / 5:
            _time(where, seconds, size, dialect, message, table, findings)


def _time(
    where: str,
    seconds: float,
    size: int,
    dialect: BaseDialect,
    message: Message,
    table: NativeNames,
    findings: Findings,
) -> None:
    """Keep the slowest; what is too slow is measured again, since others use the machine too."""
    allowed = SECONDS * max(1.0, size / SIZE)
    for _ in range(4):
        if seconds <= allowed:
            break
        began = time.thread_time()
        dialect.read(message, table)
        seconds = min(seconds, time.thread_time() - began)
    milliseconds = seconds * 1000 / max(1.0, size / SIZE)
    line = f"{where}: {seconds * 1000:.1f} ms for {size:,} characters"
    findings.slowest = sorted([*findings.slowest, (milliseconds, line)], reverse=True)[:5]
    if seconds > allowed:
        findings.faults.append(f"too slow: {line}")


def _faults(dialect: BaseDialect, reply: Reply, table: NativeNames) -> Iterator[str]:
    kinds = [bool(reply.actions), reply.answer is not None, bool(reply.problem)]
    if sum(kinds) != 1:
        yield f"actions, answer, problem: {kinds}"
    tags = [action.tag for action in reply.actions]
    if len(set(tags)) < len(tags) or not all(tags):
        yield f"the tags are {tags}"
    for action in reply.actions:
        if action.failed:
            continue
        if (action.name, action.path) not in {(s.name, s.path) for s in table.specs.values()}:
            yield f"{action} is not on offer"
        json.dumps(dict(action.input))
    if reply.actions:
        done = [action.with_output(action.output or TextArtifact("x")) for action in reply.actions]
        if not all(message.content for message in dialect.answer(reply, done)):
            yield "a message of the round is empty"


def _outcome(reply: Reply) -> str:
    if reply.actions:
        return "actions" if any(not action.failed for action in reply.actions) else "refused"
    return "answer" if reply.answer is not None else "problem"


def _message(chance: random.Random) -> Message:
    text = _text(chance)
    finish = chance.choice(FINISHES)
    if chance.random() > 0.1:
        return Message("assistant", (TextMessageContent(text),), finish=finish)
    calls = [
        ActionCallMessageContent(chance.choice(("", "a", "b")), chance.choice(("", *NAMES)), given)
        for given in (text, "{}", _json(chance))[: chance.randint(1, 3)]
    ]
    return Message("assistant", (TextMessageContent(chance.choice(("", "So."))), *calls))


def _text(chance: random.Random) -> str:
    kind = chance.random()
    if kind < 0.45:
        return _damaged(chance, _good(chance))
    if kind < 0.55:
        return _good(chance)
    if kind < 0.99:
        return "".join(_piece(chance) for _ in range(chance.randint(1, 30)))
    piece = "".join(_piece(chance) for _ in range(chance.randint(1, 4)))
    size = chance.choice((SIZE // 4, SIZE, SIZE, SIZE * 4))
    return _damaged(chance, (piece * (size // len(piece) + 1))[:size])


def _piece(chance: random.Random) -> str:
    kind = chance.random()
    if kind < 0.3:
        return chance.choice(("\n", "\n", " ", "")) + chance.choice(LABELS) + " "
    if kind < 0.4:
        return chance.choice(NAMES)
    if kind < 0.5:
        return _json(chance)
    return chance.choice(BITS)


def _good(chance: random.Random) -> str:
    """Return a reply as it should be, in one of the formats."""
    actions = [_action(chance, place) for place in range(chance.randint(1, 3))]
    array = json.dumps(
        actions, ensure_ascii=chance.random() < 0.5, indent=chance.choice((None, 1))
    )
    pairs = "\n".join(
        f"Action: {action['name']}_{action['path']}\nAction Input: {json.dumps(action['input'])}"
        for action in actions
    )
    said = {"thought": "I look.", "actions": actions, "answer": None}
    return chance.choice(
        (
            f"Thought: I look.\nActions: {array}",
            f"Thought: I look.\nActions:\n```json\n{array}\n```\n<|Response|>: a: 7\nAnswer: 7",
            f"Thought: I look.\n{pairs}",
            f"Thought: I look.\n{pairs}\nObservation: 7\nThought: Good.\nFinal Answer: 7",
            "Thought 1: I look.\nAction 1: Search[a [b] c]\nObservation 1: x",
            f"<think>Actions: {array}</think>\nThought: No.\nAnswer: 7",
            json.dumps(said),
            f"```json\n{json.dumps(said, indent=2)}\n```",
            json.dumps({"action": "Stock_count", "action_input": {"sku": "A"}}),
            'So.\n<tool_call>\n{"name": "Stock_count", "arguments": {}}\n</tool_call>',
            "Thought: Show it.\nFinal Answer: Write\n```\nAction: x\nAction Input: y\n```",
            '{"thought": "Good.", "answer": "7"}',
        )
    )


def _action(chance: random.Random, place: int) -> dict[str, Any]:
    given = chance.choice(({"sku": "A\nAnswer: b"}, {}, {"sku": 'x "y" {z}', "n": [1, None]}))
    name, path = chance.choice((("Stock", "count"), ("Clock", "now"), ("No", "such")))
    return {"tag": f"t{place}", "name": name, "path": path, "input": given}


def _json(chance: random.Random) -> str:
    value = chance.choice((_action(chance, 0), [1, "a"], {"a": {"b": None}}, "text", 7, None))
    written = json.dumps(value)
    return written.replace('"', "'") if chance.random() < 0.2 else written


def _damaged(chance: random.Random, text: str) -> str:
    """Return a text after a few cuts, repetitions, exchanges and insertions."""
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice((1, 1, 2, 8, 40)))
        kind = chance.randrange(6)
        if kind == 0:
            text = text[:start] + text[end:]
        elif kind == 1:
            text = text[:end] + text[start:]
        elif kind == 2:
            text = text[:start] + _piece(chance) + text[start:]
        elif kind == 3:
            text = text[:start] + _piece(chance) + text[end:]
        elif kind == 4 and chance.random() < 0.3:
            text = text[:start]
        elif kind == 5:
            text = text.replace(chance.choice(('"', "\n", ":", ",", "}")), chance.choice(BITS), 1)
    return text


def _spec(name: str, path: str | None, **types: str) -> ToolSpec:
    properties = {key: {"type": kind} for key, kind in types.items()}
    schema = {"type": "object", "properties": properties, "required": [*properties][:1]}
    return ToolSpec(native_name(name, path), name, path, f"Use {name}.", schema)


_STOCK = _spec("Stock", "count", sku="string")
_CLOCK = _spec("Clock", "now")

#: The tables of tools with which replies are read.
TABLES = (
    NativeNames([_STOCK, _CLOCK, _spec("Stock", "reserve", sku="string", n="integer")]),
    NativeNames([_STOCK, _CLOCK, _spec("Search", None, text="string"), _spec("no", "answer")]),
    NativeNames([_spec("Finish", None, text="string"), _spec("天气", None), _CLOCK]),
    NativeNames(),
)


def _report(replies: int, seconds: float, findings: Findings) -> None:
    print(f"{replies:,} replies in each of {len(BUILT_IN)} dialects, {seconds:,.0f} s")
    for outcome, times in sorted(findings.outcomes.items()):
        print(f"  {outcome:24}{times:12,}")
    print("The slowest, in milliseconds for 64 KB:")
    for milliseconds, line in findings.slowest:
        print(f"  {milliseconds:6.1f}  {line}")
    print(f"Faults: {len(findings.faults)}")
    for fault in findings.faults[:30]:
        print(f"  {fault}")


if __name__ == "__main__":
    sys.exit(main())
