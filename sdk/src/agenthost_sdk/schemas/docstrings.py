"""Read what a docstring says of a function and of its parameters, in any of three styles."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from docstring_parser import Docstring, ParseError, epydoc, google, numpydoc, rest

_PARAMETERS = ("Args", "Arguments", "Params", "Parameters")
_MORE_PARAMETERS = ("Keyword Args", "Keyword Arguments", "Other Parameters", "Other Params")
_TEXTS = ("Note", "Notes", "Warning", "Warnings", "See Also", "References", "Todo", "Return")
_OTHERS = "Attributes|Examples?|Exceptions?|Raises|Returns?|Warns|Yields?"


@dataclass(frozen=True)
class Documentation:
    """What a docstring says."""

    #: Summary and text up to the first section on parameters, results or errors.
    description: str = ""
    #: The descriptions of the parameters by name.
    parameters: Mapping[str, str] = field(default_factory=dict)


def read_docstring(text: str | None) -> Documentation:
    """Return a docstring's description and the descriptions of the parameters.

    Google, NumPy, Sphinx and Epydoc styles are known, also without the blank lines they want.
    """
    cleaned = inspect.cleandoc(text or "")
    starts = [found.start() for _, heading in _STYLES for found in heading.finditer(cleaned)]
    description = cleaned[: min(starts, default=len(cleaned))].strip()
    return Documentation(description, dict(_parameters(cleaned)))


def _parameters(text: str) -> Iterator[tuple[str, str]]:
    for parse, heading in _STYLES:
        if heading.search(text):
            try:
                parsed = parse(text)
            except ParseError:  # one line that is out of form would cost all the others
                yield from _lines_of_parameters(text)
            else:
                yield from _described(parsed)


def _described(parsed: Docstring) -> Iterator[tuple[str, str]]:
    for parameter in parsed.params:
        for name in parameter.arg_name.split(","):
            if parameter.description:
                yield name.strip().lstrip("*"), _unwrapped(parameter.description.strip())


def _unwrapped(text: str) -> str:
    """Return a text with each paragraph on one line; lists and what is indented stay."""
    return re.sub(r"(?<!\n)\n(?![\n\s*+-]|\d+[.)])", " ", text)


def _lines_of_parameters(text: str) -> Iterator[tuple[str, str]]:
    entry = r"^[ \t]+\*{0,2}(\w+)[ \t]*(?:\([^)\n]*\))?[ \t]*(?::|-{1,2}|–)[ \t]+(\S.*)$"
    return ((found[1], found[2].strip()) for found in re.finditer(entry, text, re.M))


def _google() -> Callable[[str], Docstring]:
    single, multiple = google.SectionType.SINGULAR, google.SectionType.MULTIPLE
    sections = [
        *google.DEFAULT_SECTIONS,
        *(google.Section(title, "param", multiple) for title in _MORE_PARAMETERS),
        *(google.Section(title, "examples", single) for title in _TEXTS),
    ]
    return google.GoogleParser(sections).parse


def _numpy() -> Callable[[str], Docstring]:
    more = [numpydoc.ParamSection(title, "param") for title in _MORE_PARAMETERS]
    sections: Any = [*numpydoc.DEFAULT_SECTIONS, *more]  # which it declares as a dict
    return numpydoc.NumpydocParser(sections).parse


_TITLES = "|".join((*_PARAMETERS, *_MORE_PARAMETERS, _OTHERS))
_NOTES = "Notes?|Methods|Receives|References|See Also|Warnings?"
_FIELDS = "param|parameter|arg|argument|key|keyword|type|returns?|rtype|raises?|yields?"

#: Each style's parser, and how its sections or fields begin.
_STYLES: tuple[tuple[Callable[[str], Docstring], re.Pattern[str]], ...] = (
    (_google(), re.compile(rf"^(?:{_TITLES}):[ \t]*$", re.M)),
    (_numpy(), re.compile(rf"^(?:{_TITLES}|{_NOTES})[ \t]*\n-{{3,}}[ \t]*$", re.M)),
    (rest.parse, re.compile(rf"^:(?:{_FIELDS})\b[^:\n]*:", re.M)),
    (epydoc.parse, re.compile(rf"^@(?:{_FIELDS})\b[^:\n]*:", re.M)),
)
