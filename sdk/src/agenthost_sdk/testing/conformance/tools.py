"""What hosts and models expect of a tool."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from agenthost_sdk.actions import NATIVE_NAME, ToolAction, ToolSpec
from agenthost_sdk.artifacts import BaseArtifact, ErrorArtifact
from agenthost_sdk.errors import AgenthostError
from agenthost_sdk.schemas import Check
from agenthost_sdk.testing.conformance.declared import declared
from agenthost_sdk.testing.conformance.faults import all_seen, none_of, note
from agenthost_sdk.testing.conformance.wrong_inputs import is_untyped, wrong_inputs
from agenthost_sdk.tools import BaseTool

#: The longest description of a tool that OpenAI takes.
DESCRIPTION_LENGTH = 1024


class ToolConformance:
    """Hold a tool against what hosts and models expect of one.

    Name the class, or a tool that is made already; write `make_tool` where neither serves.
    Only activities that are read-only and stay on this machine are run.
    """

    tool: ClassVar[type[BaseTool] | BaseTool]

    def make_tool(self) -> BaseTool:
        """Return the tool to be tested; called for each test."""
        given: type[BaseTool] | BaseTool = declared(self, "tool")
        return given if isinstance(given, BaseTool) else given()

    def is_failure(self, output: BaseArtifact) -> bool:
        """Return whether an example failed that came to this; other data may let some fail."""
        return isinstance(output, ErrorArtifact)

    def test_the_tool_is_described(self) -> None:
        """If it fails: give the tool's class a docstring; its first paragraph says what for."""
        tool = self.make_tool()

        assert tool.description, f"{tool.name} has no docstring."

    def test_the_tool_has_activities(self) -> None:
        """If it fails: mark a method with `@activity`, or shorten the denylist."""
        tool = self.make_tool()

        assert tool.activities, f"{tool.name} offers no activity."

    def test_each_activity_is_described(self) -> None:
        """If it fails: write the docstring, or shorten it; models choose by its first part."""
        none_of(
            f"{spec.native}: a description of {len(spec.description)} characters;"
            f" write 1 to {DESCRIPTION_LENGTH}."
            for spec in self.make_tool().specs()
            if not 1 <= len(spec.description.strip()) <= DESCRIPTION_LENGTH
        )

    def test_each_argument_is_described(self) -> None:
        """If it fails: name the argument under `Args:` in the docstring, or describe it in the
        schema; an example of a value says more than its type.
        """
        none_of(
            f"{spec.native}: argument {name!r} has no description."
            for spec in self.make_tool().specs()
            for name, argument in spec.schema.get("properties", {}).items()
            if not _description(argument)
        )

    def test_each_schema_is_valid_and_closed(self) -> None:
        """If it fails: mend the schema; it is an object's, and says `additionalProperties`
        (false, if there is no reason), so that a model learns of a misspelt argument.
        """
        none_of(
            f"{spec.native}: {fault}"
            for spec in self.make_tool().specs()
            for fault in _schema_faults(spec.schema)
        )

    def test_native_names_are_legal(self) -> None:
        """If it fails: rename the tool (`name = …`) or the activity (`@activity(name=…)`)."""
        natives = [spec.native for spec in self.make_tool().specs()]

        none_of(
            f"{native!r} is not 1 to 64 letters, digits, '_' or '-'."
            for native in natives
            if not NATIVE_NAME.match(native)
        )
        assert len(set(natives)) == len(natives), f"Two activities have one name: {natives}"

    def test_annotations_are_stated(self) -> None:
        """If it fails: write `@activity(read_only=True)` or `@activity(destructive=…)`; the host
        asks its user about each action of an activity that says neither.
        """
        none_of(
            f"{spec.native}: neither read_only=True nor destructive=… is stated."
            for spec in self.make_tool().specs()
            if not spec.annotations.read_only and spec.annotations.destructive is None
        )

    def test_each_activity_has_an_example(self) -> None:
        """If it fails: write `@activity(examples=[("a question", {"its": "input"})])`; a small
        model picks the tool whose examples look like what it was asked.
        """
        none_of(
            f"{spec.native}: no example, or one without a question."
            for spec in self.make_tool().specs()
            if not spec.examples or not all(example.question for example in spec.examples)
        )

    def test_every_example_is_accepted(self) -> None:
        """If it fails: the example and the schema disagree; mend the one that is wrong."""
        tool = self.make_tool()

        none_of(
            f"{spec.native}: {dict(example.input)} is refused: {fault}"
            for spec in tool.specs()
            for example in spec.examples
            if (fault := _refusal(tool, spec, example.input))
        )

    def test_examples_of_what_changes_nothing_run(self) -> None:
        """If it fails: the schema accepts the example's input, but the activity fails on it."""
        tool = self.make_tool()
        tried = [
            (spec, example.input)
            for spec in tool.specs()
            if _may_run(spec)
            for example in spec.examples
        ]
        refused = [one for one in tried if _refusal(tool, *one)]

        none_of(
            f"{spec.native}: {dict(given)} gave {output}"
            for spec, given in tried
            if (spec, given) not in refused
            and self.is_failure(output := tool.run(_action(spec, given)))
        )
        all_seen([f"{spec.native}: {dict(given)} is refused" for spec, given in refused])

    def test_a_wrong_type_is_refused_with_a_pointer(self) -> None:
        """If it fails: the schema states a type that is not enforced; a schema of your own must
        have `type` where it has `properties`.
        """
        tool = self.make_tool()

        none_of(
            f"{spec.native}: {given} is not refused at /{name}."
            for spec in tool.specs()
            for name, given in wrong_inputs(spec)
            if not _is_refused_at(tool, spec, name, given)
        )
        for spec in tool.specs():
            for name, argument in spec.schema.get("properties", {}).items():
                if is_untyped(argument):
                    note(f"{spec.native}: argument {name!r} has no type: any JSON value is taken.")

    def test_run_never_raises(self) -> None:
        """If it fails: your `before_run`, `try_run`, `after_run` or an artifact of your own
        raises something that is no `Exception`, or `run` itself was written anew.
        """
        tool = self.make_tool()

        outputs = [tool.run(action) for action in _odd_actions(tool)]

        none_of(
            f"`run` gave {output!r:.80}, which is no artifact with a text."
            for output in outputs
            if not isinstance(output, BaseArtifact) or not isinstance(output.to_text(), str)
        )


def _description(argument: Any) -> str:
    return str(argument.get("description", "")).strip() if isinstance(argument, dict) else ""


def _schema_faults(schema: Mapping[str, Any]) -> Iterator[str]:
    try:
        Check(dict(schema))
    except AgenthostError as error:
        yield str(error)
    if schema.get("type") != "object":
        yield "the schema is not of type object."
    if not {"additionalProperties", "unevaluatedProperties"} & set(schema):
        yield "the schema does not say additionalProperties."


def _action(spec: ToolSpec, given: Mapping[str, Any]) -> ToolAction:
    return ToolAction("1", spec.name, spec.path, given)


def _refusal(tool: BaseTool, spec: ToolSpec, given: Mapping[str, Any]) -> str:
    try:
        tool.arguments(_action(spec, given))
    except AgenthostError as error:
        return str(error)
    return ""


def _may_run(spec: ToolSpec) -> bool:
    return bool(spec.annotations.read_only) and not spec.annotations.open_world


def _is_refused_at(tool: BaseTool, spec: ToolSpec, name: str, given: dict[str, Any]) -> bool:
    problems = tool.inputs[spec.path or ""].check(given)
    return any(problem.path[:1] == (name,) for problem in problems)


def _odd_actions(tool: BaseTool) -> Iterator[ToolAction]:
    yield ToolAction("1", tool.name, "no_such_activity")
    yield ToolAction("1", tool.name)
    for spec in tool.specs():
        inputs = [{}, *(given for _, given in wrong_inputs(spec))]
        yield from (_action(spec, odd) for odd in inputs if _refusal(tool, spec, odd))
