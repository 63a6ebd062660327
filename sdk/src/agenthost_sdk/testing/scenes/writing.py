"""The text dialects as a model writes them: actions and answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

#: A native name, and the arguments as text, which stand as they are.
_Asked = Sequence[tuple[str, str]]

#: Tool and activity by native name, as far as they are known.
Pairs = Mapping[str, tuple[str, str | None]]

_THOUGHT = "I shall look."


@dataclass(frozen=True)
class TextForm:
    """How one text dialect says actions, and how it says an answer.

    Args:
        act: Writes actions.
        answer: Writes the answer.
        labels: Thought, action or actions, and answer; empty where the dialect has no labels.
        response: What stands before results, which only the host may write.
    """

    act: Callable[[_Asked, Pairs], str]
    answer: Callable[[str], str]
    labels: tuple[str, ...]
    response: str


def _actions_json(asked: _Asked, pairs: Pairs) -> str:
    return f"Thought: {_THOUGHT}\nActions: {_array(asked, pairs)}"


def _classic(asked: _Asked, _: Pairs) -> str:
    rounds = (f"Action: {native}\nAction Input: {arguments}" for native, arguments in asked)
    return "\n".join((f"Thought: {_THOUGHT}", *rounds))


def _json(asked: _Asked, pairs: Pairs) -> str:
    return f'{{"thought": "{_THOUGHT}", "actions": {_array(asked, pairs)}}}'


def _array(asked: _Asked, pairs: Pairs) -> str:
    items = []
    for place, (native, arguments) in enumerate(asked, 1):
        name, path = pairs.get(native, (native, None))
        given = {"tag": str(place), "name": name, **({"path": path} if path else {})}
        within = f', "input": {arguments}' if arguments else ""
        items.append(f"{json.dumps(given)[:-1]}{within}}}")
    return f"[{', '.join(items)}]"


def _labelled_answer(label: str) -> Callable[[str], str]:
    return lambda answer: f"Thought: I know now.\n{label}: {answer}"


def _json_answer(answer: str) -> str:
    return json.dumps({"thought": "I know now.", "answer": answer}, ensure_ascii=False)


TEXT_FORMS = {
    "actions_json": TextForm(
        _actions_json,
        _labelled_answer("Answer"),
        ("Thought", "Actions", "Answer"),
        "<|Response|>",
    ),
    "classic": TextForm(
        _classic,
        _labelled_answer("Final Answer"),
        ("Thought", "Action", "Action Input", "Final Answer"),
        "Observation",
    ),
    "json": TextForm(_json, _json_answer, (), "Observation"),
}
