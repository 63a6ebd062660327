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
    cleaned = inspect.cleandoc("\n".join((text or "").splitlines()))
    starts = [found.start() for _, heading in _STYLES for found in heading.finditer(cleaned)]
    description = cleaned[: min(starts, default=len(cleaned))].strip()
    return Documentation(unwrapped(description), dict(_parameters(cleaned)))


def unwrapped(text: str) -> str:
    """Return a text with each paragraph on one line; lists, tables and code stay as they are."""
    lines: list[str] = []
    fenced = False
    before = ""
    for line in text.split("\n"):
        if not fenced and _goes_on(before) and _goes_on(line):
            lines[-1] = f"{lines[-1].rstrip()} {line}"
        else:
            lines.append(line)
        fenced ^= line.lstrip().startswith(("```", "~~~"))
        before = line
    return "\n".join(lines)


def _goes_on(line: str) -> bool:
    """Return whether a line is part of a paragraph, which may go on before and after it."""
    return bool(line) and not _SET_APART.match(line)


#: How lines begin that are indented, or belong to a list, a table, code, a heading or a quote.
_SET_APART = re.compile(
    r"\s|[-*+•–]\s|(?:\d{1,3}|[a-zA-Z])[.)]\s|[A-Z]\w*:\s|[|>]|#+\s|```|~~~|[=~^-]{3,}\s*$"
)


def _parameters(text: str) -> Iterator[tuple[str, str]]:
    for parse, heading in _STYLES:
        if heading.search(text):
            try:
                found = list(_described(parse(text)))
            except ParseError:  # one line that is out of form would cost all the others
                found = []
            yield from found or _lines_of_parameters(text)


def _described(parsed: Docstring) -> Iterator[tuple[str, str]]:
    for parameter in parsed.params:
        for name in parameter.arg_name.split(","):
            if parameter.description:
                yield name.strip().lstrip("*"), unwrapped(parameter.description.strip())


def _lines_of_parameters(text: str) -> Iterator[tuple[str, str]]:
    entry = r"^[ \t]*\*{0,2}(\w+)[ \t]*(?:\([^)\n]*\))?[ \t]*(?::|-{1,2}|–)[ \t]+(\S.*)$"
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
