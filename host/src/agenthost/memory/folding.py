"""Fold the oldest rounds of a run, so that a long run fits into what the model can read.

A round is the unit: its calls and their results are folded together or not at all. Nothing here
asks a model; the loop does, with the stack that `folding_stack` returns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from agenthost.memory.summaries import as_record, summary_stack
from agenthost_sdk.artifacts import BaseArtifact
from agenthost_sdk.messages import Message, PromptStack, note

#: What becomes of the oldest rounds: they are put into a summary, or left out.
Folding = Literal["summarise", "drop"]

#: The messages of one round, from the model's call to the results.
Round = Sequence[Message]


def rounds_to_fold(
    counts: Sequence[int],
    limit: int,
    keep: int,
    *,
    folding: Folding = "summarise",
    before: int = 0,
) -> int:
    """Return how many of the oldest rounds are to be folded; 0 where all of them fit.

    Dropping takes as few as will do. Summarising takes so many that half of the limit is free
    again, since each time costs a prompt.

    Args:
        counts: The tokens of each round that is not folded yet, oldest first.
        limit: How many tokens they may have together.
        keep: So many of the last rounds stay word for word, though they are over the limit.
        folding: What becomes of those that are folded.
        before: The tokens of what stands for the rounds that were folded earlier.
    """
    left = before + sum(counts)
    if left <= limit:
        return 0
    goal = limit if folding == "drop" else limit // 2
    folded = 0
    while left > goal and folded < len(counts) - max(keep, 0):
        left -= counts[folded]
        folded += 1
    return folded


def folding_stack(
    question: BaseArtifact, rounds: Sequence[Round], earlier: str = ""
) -> PromptStack:
    """Return the stack whose reply is a summary of rounds; ask it with `step="summarise"`.

    `summaries.summary_in` reads the reply.

    Args:
        question: What the run was asked.
        rounds: The rounds to be folded, oldest first.
        earlier: The summary of the rounds that were folded before, which goes into this one.
    """
    record = as_record([message for one in rounds for message in one])
    return summary_stack(f"The question:\n{question.to_text()}\n\n{record}", earlier)


def standing_message(folded: int, summary: str = "") -> Message:
    """Return what stands in the place of the rounds that were folded, behind the question.

    It is the user's, so that a conversation never begins with the model, and it stands before a
    whole round, so that it never comes between a call and its result.

    Args:
        folded: How many rounds it stands for, those that were folded earlier included.
        summary: What they came to; "" where they were dropped.
    """
    if summary:
        return note(f"Summary of earlier rounds: {summary}")
    rounds = "earliest round was" if folded == 1 else f"{folded} earliest rounds were"
    return note(f"The {rounds} left out to save room.")
