"""Scenes of the text dialects: labels, fences, inventions and thoughts where none belong."""

from __future__ import annotations

import re

from agenthost_sdk.messages import Message
from agenthost_sdk.testing.scenes.scene import TEXT_DIALECTS, Part, Scene, said
from agenthost_sdk.testing.scenes.writing import TEXT_FORMS

_LABELLED = ("actions_json", "classic")


def _invented(part: Part) -> Message:
    """Return a call that is followed by a result and an answer, both made up."""
    form = TEXT_FORMS[part.dialect]
    return said(f"{part.call().to_text()}\n{form.response}: made up\n{form.answer('made up')}")


def _label_in_thought(part: Part) -> Message:
    label = TEXT_FORMS[part.dialect].labels[-1]
    thought = f"Thought: The form ends in {label}: so I must act first."
    return said(re.sub(r"\AThought: [^\n]*", thought, part.call().to_text()))


def _fenced(part: Part) -> Message:
    return said(f"```\n{part.call().to_text()}\n```")


def _fenced_json(part: Part) -> Message:
    text = part.call().to_text()
    start = text.index(part.arguments if part.dialect == "classic" else _opening(part))
    return said(f"{text[:start]}```json\n{text[start:]}\n```")


def _opening(part: Part) -> str:
    return "[" if part.dialect == "actions_json" else "{"


def _two_blocks(part: Part) -> Message:
    second = part.calls(part.second).to_text().replace('"tag": "1"', '"tag": "2"')
    return said(f"{part.call().to_text()}\n\n{second}")


def _thinking(part: Part) -> Message:
    dreamt = TEXT_FORMS[part.dialect].answer("a dream")
    return said(f"<think>\nIs it this?\n{dreamt}\nNo.\n</think>\n{part.call().to_text()}")


def _only_thinking(part: Part) -> Message:
    return said(f"<think>\nIs it this?\n{part.call().to_text()}\n</think>")


def _each_label(part: Part, form: str) -> Message:
    """Return the call with each label in another form; `\\1` stands for the label itself."""
    labels = "|".join(TEXT_FORMS[part.dialect].labels)
    text = re.sub(rf"^({labels}):", form, part.call().to_text(), flags=re.MULTILINE)
    return said(text)


def _twice_tagged(part: Part) -> Message:
    text = part.calls((part.native, part.arguments), part.second).to_text()
    return said(text.replace('"tag": "2"', '"tag": "1"'))


SCENES = (
    Scene(
        "invented_observation",
        "A result and an answer are made up behind the action.",
        "runs",
        _invented,
        dialects=TEXT_DIALECTS,
    ),
    Scene(
        "label_in_thought",
        "The label of the answer stands in a thought.",
        "runs",
        _label_in_thought,
        dialects=_LABELLED,
    ),
    Scene(
        "fenced_reply",
        "The whole reply stands in a code fence.",
        "runs",
        _fenced,
        dialects=TEXT_DIALECTS,
    ),
    Scene(
        "fenced_json",
        "The JSON of the reply stands in a code fence.",
        "runs",
        _fenced_json,
        dialects=TEXT_DIALECTS,
    ),
    Scene(
        "two_blocks",
        "The reply holds two whole rounds.",
        "runs",
        _two_blocks,
        dialects=_LABELLED,
    ),
    Scene(
        "think_text",
        "An answer is dreamt of in <think> before the action.",
        "runs",
        _thinking,
        dialects=TEXT_DIALECTS,
    ),
    Scene(
        "only_think_text",
        "There is nothing but <think>, with an action in it.",
        "told",
        _only_thinking,
        dialects=TEXT_DIALECTS,
    ),
    Scene(
        "only_thought",
        "There is a thought, and nothing after it.",
        "told",
        lambda _: said("Thought: I could look it up."),
        dialects=_LABELLED,
    ),
    Scene(
        "bold_labels",
        "The labels are bold.",
        "runs",
        lambda part: _each_label(part, r"**\1:**"),
        dialects=_LABELLED,
    ),
    Scene(
        "headings",
        "The labels are headings.",
        "runs",
        lambda part: _each_label(part, r"### \1:"),
        dialects=_LABELLED,
    ),
    Scene(
        "full_width_colons",
        "The colons behind the labels are full-width.",
        "runs",
        lambda part: _each_label(part, "\\1\N{FULLWIDTH COLON}"),
        dialects=_LABELLED,
    ),
    Scene(
        "one_line",
        "All labels stand on one line.",
        "runs",
        lambda part: said(part.call().to_text().replace("\n", " ")),
        dialects=_LABELLED,
    ),
    Scene(
        "renamed_label",
        "The label of the input is another.",
        "runs",
        lambda part: said(part.call().to_text().replace("Action Input:", "Input:")),
        dialects=("classic",),
    ),
    Scene(
        "words_around",
        "Polite words stand before and after the JSON.",
        "runs",
        lambda part: said(f"Sure, here it is:\n{part.call().to_text()}\nI hope this helps!"),
        dialects=("json",),
    ),
    Scene(
        "duplicate_tag",
        "Two actions bear one tag.",
        "mixed",
        _twice_tagged,
        dialects=("actions_json",),
    ),
)
