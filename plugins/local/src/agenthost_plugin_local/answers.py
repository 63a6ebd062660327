"""Say the result of an action in a sentence that is sure to hold it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from agenthost_plugin_local import values
from agenthost_plugin_local.contexts import stem
from agenthost_sdk.artifacts import BaseArtifact

#: A result of more words than this is said as it is: it is in words already.
MOST_WORDS = 3
_LONGEST = 240

#: A tool's result is never to be denied by the sentence that says it.
_DENIAL = re.compile(r"\b(?:not|no|never|cannot|impossible|unable)\b|n't\b", re.IGNORECASE)

_SHOWN = (
    ("What is 48 plus 17?", "65", "48 plus 17 is 65."),
    ("A box holds 12 eggs; how many eggs do 9 boxes hold?", "108", "9 boxes hold 108 eggs."),
    ("How long is it from 09:40 to 13:10?", "3.5 hours", "It is 3.5 hours."),
)


def plain_result(output: BaseArtifact, question: str) -> str:
    """Return a result in plain words; of several values the one that the question names."""
    value = getattr(output, "value", None)
    if isinstance(value, Mapping) and value:
        named = [key for key in value if _is_named(str(key), question)]
        if len(named) == 1:
            return str(value[named[0]])
        return "; ".join(f"{_words(key)}: {item}" for key, item in value.items())
    return output.to_text().strip()


def needs_sentence(result: str) -> bool:
    """Say whether a result is a bare figure, which a model can put into a sentence."""
    return _is_bare(result) and any(letter.isdigit() for letter in result)


def prompt(question: str, result: str) -> str:
    """Return the prompt whose continuation is the sentence."""
    shown = "".join(f"Question: {q}\nResult: {r}\nAnswer: {a}\n\n" for q, r, a in _SHOWN)
    return f"{shown}Question: {question}\nResult: {result}\nAnswer:"


def checked(sentence: str, question: str, result: str) -> str:
    """Return the model's sentence if it holds the result, denies nothing, adds no figure.

    Otherwise a plain sentence says the result.
    """
    sentence = sentence.strip()
    is_more = len(sentence.split()) > len(result.split()) and sentence.count(result) == 1
    if (
        is_more
        and not _DENIAL.search(sentence)
        and _holds(sentence, result)
        and _figures(sentence) <= _figures(f"{question} {result}")
    ):
        return sentence
    return plain(result)


def plain(result: str) -> str:
    """Return a sentence, or the result itself where it is one."""
    if not result:
        return "It is done; the tool returned nothing."
    return f"The result is {result}." if _is_bare(result) else result


def _is_sentence(result: str) -> bool:
    return result.endswith((".", "!", "?", "…"))


def failure(output: BaseArtifact) -> str:
    """Return the words for an action that failed."""
    return f"The tool could not do that: {output.to_text().strip()}"


def _is_bare(result: str) -> bool:
    is_short = 0 < len(result.split()) <= MOST_WORDS and "\n" not in result
    return is_short and not _is_sentence(result)


def _holds(sentence: str, result: str) -> bool:
    found = re.search(rf"(?<![\w.]){re.escape(result)}(?![\w]|\.\d)", sentence)
    return bool(found) and len(sentence) <= _LONGEST


def _figures(text: str) -> set[str]:
    """Return the figures in a text, and the numbers that its words say."""
    digits = {figure.rstrip(".,").replace(",", "") for figure in re.findall(r"\d[\d.,]*", text)}
    return digits | {mention.value for mention in values.of_kind(text, "number")}


def _is_named(key: str, question: str) -> bool:
    """Say whether the question asks for the value by the words of its name."""
    # "the word" before a text says what the text is, not what is asked of it.
    plain = _CALLED.sub(" ", values.unquoted(question))
    asked = {stem(word[0]) for word in values.WORD.finditer(plain)}
    return all(stem(word) in asked for word in _words(key).split())


_CALLED = re.compile(r"\b(?:the|this) (?:word|sentence|line|text|phrase)\b", re.IGNORECASE)


def _words(key: Any) -> str:
    return str(key).replace("_", " ")
