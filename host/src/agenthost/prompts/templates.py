"""Render the texts that an application marked as templates, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from agenthost_sdk.artifacts import error_text
from agenthost_sdk.errors import DefinitionError, nearest, shortened

if TYPE_CHECKING:
    import jinja2

#: So many templates are kept compiled.
_MOST_COMPILED = 512

#: How much of a template is shown in a message.
_SHOWN = 60


@dataclass(frozen=True)
class Template:
    """A text of the application's own, in Jinja, to be filled in.

        rule = Template("Today is {{ day }}. Answer in {{ language }}.")
        rule.render(day="Monday", language="French")

    Only such an object is ever rendered, never a plain text. A value may hold braces: it is put
    in as it is, and never read as a template again. A template sees its variables only; it can
    neither change them nor reach Python's insides, and it can include no other.

    Args:
        source: The text.

    Raises:
        DefinitionError: The source is no text, or no Jinja.
    """

    source: str

    def __post_init__(self) -> None:
        given: object = self.source
        if not isinstance(given, str):
            found = type(given).__name__
            raise DefinitionError(f"A Template is made of a text, not of a value of type {found}.")
        _compiled(self.source)

    @property
    def variables(self) -> frozenset[str]:
        """The names that the template looks up."""
        return _compiled(self.source).names

    def render(self, /, **variables: Any) -> str:
        """Return the text with the variables put in.

        Raises:
            DefinitionError: A variable that is used was not given, or the template does what it
                must not.
        """
        import jinja2  # loaded with the first template

        compiled = _compiled(self.source)
        try:
            return compiled.template.render(variables)
        except jinja2.UndefinedError as error:
            raise DefinitionError(self._undefined(error, variables)) from error
        except Exception as error:  # a value's own methods may raise anything
            said = error_text(error).removesuffix(".")
            raise DefinitionError(f"{_titled(self.source)} cannot be rendered: {said}.") from error

    def _undefined(self, error: Exception, variables: Mapping[str, Any]) -> str:
        known = f"Given: {shortened(sorted(variables))}." if variables else "None were given."
        near = [
            f" Is {given!r} meant for {missing!r}?"
            for missing in sorted(self.variables - set(variables))
            for given in nearest(missing, variables, most=1)
        ]
        return (
            f"{_titled(self.source)} cannot be rendered: {error}. {known}{''.join(near)}"
            " Give each of its variables a value: variables={…}."
        )


def rendered(value: Any, variables: Mapping[str, Any]) -> Any:
    """Return a value with the templates in it rendered; all else stays as it is.

    Args:
        value: A `Template`, a list or tuple with templates in it, or anything else.
        variables: What the templates may use.

    Raises:
        DefinitionError: A template cannot be rendered.
    """
    if isinstance(value, Template):
        return value.render(**variables)
    if isinstance(value, list | tuple):
        return [rendered(item, variables) for item in value]
    return value


class _Compiled(NamedTuple):
    template: jinja2.Template
    names: frozenset[str]


@lru_cache(_MOST_COMPILED)
def _compiled(source: str) -> _Compiled:
    import jinja2
    from jinja2 import meta

    environment = _environment()
    try:
        names = meta.find_undeclared_variables(environment.parse(source))
        return _Compiled(environment.from_string(source), frozenset(names))
    except (jinja2.TemplateError, RecursionError) as error:
        where = f", line {error.lineno}" if isinstance(error, jinja2.TemplateSyntaxError) else ""
        said = str(error).splitlines()[0].removesuffix(".")
        raise DefinitionError(f"{_titled(source)} is no Jinja: {said}{where}.") from error


@cache
def _environment() -> jinja2.Environment:
    from jinja2 import StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    # The text goes to a model and not into a page, so nothing in it is escaped.
    return ImmutableSandboxedEnvironment(
        undefined=StrictUndefined,
        autoescape=False,
        keep_trailing_newline=True,
    )


def _titled(source: str) -> str:
    shown = source if len(source) <= _SHOWN else f"{source[:_SHOWN]}…"
    return f"The template {shown!r}"
