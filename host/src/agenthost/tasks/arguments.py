"""Refuse arguments with which no task can work, and say how each is written."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import is_dataclass
from types import UnionType
from typing import Any, get_args

from agenthost.actions.permission import Permissions
from agenthost.memory.base import BaseMemory
from agenthost.memory.folding import Folding
from agenthost.tasks.limits import Limits
from agenthost_sdk.drivers_config import DriversConfig
from agenthost_sdk.embeddings import BaseEmbeddingDriver
from agenthost_sdk.errors import (
    DefinitionError,
    NoDriverError,
    SchemaError,
    SettingsError,
    how_to_make,
)
from agenthost_sdk.schemas import Output

#: What an argument must be, and how it is written.
_KINDS: Mapping[str, tuple[type | UnionType, str]] = {
    "limits": (Limits | None, "a Limits object, such as limits=Limits(max_subtasks=10)"),
    "permissions": (
        Permissions,
        'a Permissions object, such as permissions=Permissions(allow=["Files_*"])',
    ),
    "executor": (
        Executor | None,
        "an executor of concurrent.futures, such as executor=ThreadPoolExecutor()",
    ),
    "memory": (BaseMemory | None, "a memory object, such as memory=ConversationMemory()"),
    "embedding_driver": (
        BaseEmbeddingDriver | None,
        "an embedding driver object; by name a Host makes one, such as"
        " Host().embedding_driver('local')",
    ),
    "variables": (
        Mapping | None,
        "a mapping of names to values, such as variables={'language': 'French'}",
    ),
    "step_drivers": (
        Mapping | None,
        "a mapping of steps to driver objects, such as step_drivers={'plan': …}",
    ),
    "repair_prompt": (str, "a text"),
    "few_shot": (bool, "true or false"),
}


def check_kinds(**given: Any) -> None:
    """Refuse an argument that is not of the kind that its name asks for.

    Raises:
        DefinitionError: One is not; the message says what was given and what is written instead.
    """
    for name, value in given.items():
        kind, needed = _KINDS[name]
        if not isinstance(value, kind):
            hint = how_to_make(value)
            raise DefinitionError(f"{name} is {value!r:.80}; it must be {needed}.{hint}")


def check_folding(folding: Any) -> None:
    """Refuse a way of folding that there is not.

    Raises:
        DefinitionError: It is none.
    """
    if folding not in get_args(Folding):
        known = " or ".join(map(repr, get_args(Folding)))
        raise DefinitionError(f"folding is {folding!r:.80}; it must be {known}.")


def embedding_driver_for(
    memory: BaseMemory | None, given: BaseEmbeddingDriver | None, config: DriversConfig
) -> BaseEmbeddingDriver | None:
    """Return the embedding driver of a task: the one it was given, or that of the config where
    its memory looks for what is near in meaning.

    Raises:
        SettingsError: Its memory needs one, and there is none.
    """
    if given is not None or memory is None or not memory.needs_embeddings:
        return given
    try:
        return config.embedding_driver
    except NoDriverError as error:
        raise SettingsError(
            f"A {type(memory).__name__} needs an embedding driver; give the task one:"
            f" embedding_driver=…, such as Host().embedding_driver('local'). {error}"
        ) from error


def listed(name: str, given: Any, what: str) -> tuple[Any, ...]:
    """Return the items of an argument that must be a list.

    Raises:
        DefinitionError: It is none: a single item, a text, a class.
    """
    if isinstance(given, str | bytes | Mapping | type) or not isinstance(given, Iterable):
        raise DefinitionError(
            f"{name} is {given!r:.80}; it must be a list of {what}, also where it is a single"
            f" one: {name}=[…]."
        )
    return tuple(given)


def check_runner(runner: Any) -> None:
    """Refuse what cannot be a subtask runner.

    Raises:
        DefinitionError: It cannot be called, is a class, or is asynchronous.
    """
    if isinstance(runner, type) or not callable(runner):
        raise DefinitionError(
            f"{runner!r:.80} is no subtask runner: a generator function that takes the run and"
            f" the round.{how_to_make(runner)}"
        )
    for called in (runner, getattr(runner, "__call__", None)):  # noqa: B004 - looked at, not asked
        if inspect.iscoroutinefunction(called) or inspect.isasyncgenfunction(called):
            raise DefinitionError(
                f"The subtask runner {runner!r:.80} is asynchronous. A runner is a plain"
                " generator: it yields requests, and what carries the run out awaits them."
            )


def check_schema(spec: Any) -> None:
    """Refuse what is easily taken for a schema: a file's name, and an object for its class.

    Raises:
        SchemaError: It is one of them; the message says what is written instead.
    """
    if isinstance(spec, str):
        raise SchemaError(
            f"output_schema is the text {spec!r:.80}; it must be a schema.Schema, a pydantic"
            " model, a dataclass or a JSON Schema. agenthost_sdk.schemas.read_schema reads one"
            " from a file or a text."
        )
    if not isinstance(spec, type | Output) and (
        is_dataclass(spec) or hasattr(type(spec), "model_fields")
    ):
        name = type(spec).__name__
        raise SchemaError(
            f"output_schema is an object of {name}; it must be the class: output_schema={name}."
        )
