"""Read what a subclass says it tests, or say how it is said."""

from __future__ import annotations

from typing import Any

from agenthost_sdk.errors import DefinitionError

_EXAMPLES = {
    "tool": "Inventory",
    "driver": "QuillPromptDriver",
    "validator": "AtMost",
    "dialect": "Shout",
    "config": "QuillDriversConfig",
    "guard": "Keeper",
    "store": "ListVectorStoreDriver",
    "plugin": '"weather"',
}


def declared(case: object, attribute: str) -> Any:  # a class or a name, as the attribute says
    """Return an attribute that the subclass must set.

    Raises:
        DefinitionError: It does not, or sets the name of a class in place of the class.
    """
    kind = type(case)
    if getattr(kind, attribute, None) is None:
        maker = f", or a method `make_{attribute}`" if hasattr(kind, f"make_{attribute}") else ""
        raise DefinitionError(
            f"{kind.__name__} does not say what it tests. Write `{attribute} ="
            f" {_EXAMPLES[attribute]}` in the class{maker}."
        )
    given = getattr(case, attribute)
    is_name = attribute == "plugin"
    if isinstance(given, str) != is_name:
        raise DefinitionError(
            f"{kind.__name__} says that it tests {given!r}. Write `{attribute} ="
            f" {_EXAMPLES[attribute]}`: {'a name' if is_name else 'the class itself'}."
        )
    return given
