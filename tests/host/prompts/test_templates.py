"""Only what the application marked is rendered, and it can do no harm."""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import Any

import pytest

from agenthost.prompts.templates import Template, rendered
from agenthost_sdk import TextArtifact
from agenthost_sdk.errors import DefinitionError


class Account:
    """Something of the application's."""

    def __init__(self) -> None:
        self.owner = "Ann"
        self._secret = "hunter2"

    def broken(self) -> str:
        raise ValueError("no line")


def test_a_template_is_filled_in() -> None:
    template = Template("{% for one in names %}{{ one }};{% endfor %} {{ count + 1 }}\n")

    assert template.render(names=["a", "b"], count=1) == "a;b; 2\n"
    assert template.variables == {"names", "count"}


def test_an_artifact_is_put_in_as_its_words() -> None:
    assert Template("{{ said }}").render(said=TextArtifact("hello")) == "hello"


def test_nothing_is_escaped_since_it_goes_to_a_model() -> None:
    assert Template("{{ a }}").render(a="<b> & 'c'") == "<b> & 'c'"


@pytest.mark.parametrize(
    "value",
    ["{{ 7 * 7 }}", "{% raw %}", "{tools}", "{# note #}", "{{ config }}", "%s %(a)s"],
)
def test_a_value_is_never_read_as_a_template(value: str) -> None:
    assert Template("<{{ a }}>").render(a=value) == f"<{value}>"


@pytest.mark.parametrize(
    "source",
    [
        "{{ ().__class__.__mro__ }}",
        "{{ cycler.__init__.__globals__ }}",
        "{{ account.broken.__globals__ }}",
        "{{ account._secret }}",
        "{{ ''.join.__self__.__class__ }}",
        "{{ '{0.__class__.__mro__}'.format(account) }}",
        "{{ names.append(1) }}",
        "{{ names.clear() }}",
        "{{ known.update(a=1) }}",
        "{% include 'secret.txt' %}",
        "{% import 'os' as os %}",
        "{% extends 'x' %}",
    ],
)
def test_a_template_cannot_reach_or_change_what_it_was_not_given(source: str) -> None:
    names, known = ["a"], {"b": 1}

    with pytest.raises(DefinitionError, match="cannot be rendered"):
        Template(source).render(account=Account(), names=names, known=known)

    assert (names, known) == (["a"], {"b": 1})


def test_a_variable_that_is_missing_is_named_with_those_that_were_given() -> None:
    with pytest.raises(DefinitionError) as caught:
        Template("Dear {{ name }}").render(nmae="Ann", day="Monday")

    assert str(caught.value) == (
        "The template 'Dear {{ name }}' cannot be rendered: 'name' is undefined."
        " Given: day, nmae. Is 'nmae' meant for 'name'?"
        " Give each of its variables a value: variables={…}."
    )


def test_without_any_variables_the_error_says_so() -> None:
    with pytest.raises(DefinitionError, match=r"'name' is undefined\. None were given"):
        Template("{{ name }}").render()


def test_a_variable_may_be_optional_where_the_template_says_so() -> None:
    template = Template("{{ name | default('you') }}{% if day is defined %}, {{ day }}{% endif %}")

    assert template.render() == "you"


def test_what_a_values_own_code_raises_is_told() -> None:
    with pytest.raises(DefinitionError, match="cannot be rendered: ValueError: no line"):
        Template("{{ account.broken() }}").render(account=Account())


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("a\n{{ b", "unexpected end of template.*, line 2"),
        ("{% for %}", "Expected an expression.*, line 1"),
        ("{{ a | shout }}", "No filter named 'shout'"),
        ("{{" + "(" * 5_000 + "1" + ")" * 5_000 + "}}", "is no Jinja"),
    ],
    ids=["open", "for", "filter", "deep"],
)
def test_a_text_that_is_no_template_is_refused_when_it_is_made(source: str, words: str) -> None:
    with pytest.raises(DefinitionError, match=words):
        Template(source)


def test_what_is_no_text_is_no_template() -> None:
    source: Any = 5

    with pytest.raises(DefinitionError, match="made of a text, not of a value of type int"):
        Template(source)


def test_only_templates_among_the_parts_of_a_question_are_rendered() -> None:
    parts = [Template("{{ a }}"), "{{ a }}", TextArtifact("{{ a }}"), ("x", Template("{{ b }}"))]

    assert rendered(parts, {"a": 1, "b": 2}) == [
        "1",
        "{{ a }}",
        TextArtifact("{{ a }}"),
        ["x", "2"],
    ]
    assert rendered("{{ a }}", {"a": 1}) == "{{ a }}"


def test_a_template_is_rendered_by_many_threads_at_once() -> None:
    template = Template("{% for n in range(50) %}{{ value }} {% endfor %}")
    texts: list[str] = []

    def work(number: int) -> None:
        texts.append(template.render(value=number))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(texts) == sorted(f"{number} " * 50 for number in range(32))


def test_rendering_again_compiles_nothing() -> None:
    def compilations() -> int:
        found = 0

        def watch(frame: Any, event: str, _: Any) -> None:
            nonlocal found
            found += event == "call" and frame.f_code.co_name in ("_compile", "_parse", "compile")

        sys.setprofile(watch)
        try:
            Template("Only once {{ a }}").render(a=1)
        finally:
            sys.setprofile(None)
        return found

    assert compilations() > 0
    assert compilations() == 0


def test_a_task_without_templates_loads_no_jinja() -> None:
    script = (
        "import sys\nfrom agenthost.prompts.rules import rules_text\n"
        "rules_text(['Be brief.', 'Be kind.'])\nprint('jinja2' in sys.modules)"
    )

    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "False"
