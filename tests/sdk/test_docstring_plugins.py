"""The plugins in the docstrings are whole: each is run as it stands there."""

from __future__ import annotations

import ast
import inspect
import itertools
import re
import textwrap
from typing import Any

import pluggy
import pytest

from agenthost_sdk import (
    dialects,
    drivers,
    drivers_config,
    embeddings,
    hookspecs,
    tools,
    validators,
    vector_stores,
)
from agenthost_sdk.actions import NativeNames, ToolAction, native_specs
from agenthost_sdk.artifacts import BaseArtifact, TextArtifact
from agenthost_sdk.events import FinishActionEvent
from agenthost_sdk.hooks import GROUP
from agenthost_sdk.messages import Message, TextMessageContent
from agenthost_sdk.testing import ScriptedDriver, WordsEmbeddingDriver

HOOKS = [name for name in vars(hookspecs) if name.startswith("agenthost_")]


def example(documented: Any) -> str:
    """Return the indented block of a docstring, from its first import on."""
    lines = (inspect.getdoc(documented) or "").splitlines()
    indented = itertools.dropwhile(lambda line: not re.match(r" +(from|import) ", line), lines)
    block = itertools.takewhile(lambda line: not line or line.startswith(" "), indented)
    return textwrap.dedent("\n".join(block))


def plugin(documented: Any) -> dict[str, Any]:
    """Run the example in a namespace of its own and return that."""
    namespace: dict[str, Any] = {"__name__": __name__}  # dataclasses look their module up
    exec(compile(example(documented), str(documented), "exec"), namespace)
    return namespace


def called(documented: Any, hook: str) -> Any:
    """Register the example with pluggy, call its hook and return what it contributes."""
    manager = pluggy.PluginManager(GROUP)
    manager.add_hookspecs(hookspecs)
    module = type("Plugin", (), {})()
    vars(module).update(plugin(documented))
    manager.register(module)
    manager.check_pending()
    results = getattr(manager.hook, hook)()
    assert len(results) == 1
    return results[0]


@pytest.mark.parametrize("hook", HOOKS)
def test_each_hook_shows_a_plugin_that_implements_it(hook: str) -> None:
    contributed = called(getattr(hookspecs, hook), hook)

    assert contributed


@pytest.mark.parametrize("hook", HOOKS)
def test_each_hook_is_marked_and_takes_nothing(hook: str) -> None:
    specified = getattr(hookspecs, hook)

    assert hasattr(specified, f"{GROUP}_spec")
    assert inspect.signature(specified).parameters == {}


def test_the_modules_hooks_are_those_that_are_specified() -> None:
    tree = ast.parse(inspect.getsource(hookspecs))

    assert [node.name for node in tree.body if isinstance(node, ast.FunctionDef)] == HOOKS


def test_the_example_tool_of_the_hook_runs() -> None:
    (make,) = called(hookspecs.agenthost_tools, "agenthost_tools")

    output = make().run(ToolAction("1", "Dice", "sides", {"name": "d20"}))

    assert output.to_json() == 20


def test_the_example_tool_of_the_base_class_runs_with_its_option() -> None:
    (make,) = called(tools.BaseTool, "agenthost_tools")
    tool = make(warehouse="north")

    output = tool.run(ToolAction("1", "Inventory", "count", {"sku": "AB-1200"}))

    assert output.to_json() == 7
    assert tool.warehouse == "north"
    assert tool.description == "Look up stock."


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(
    ("documented", "name"),
    [
        (hookspecs.agenthost_prompt_drivers, "parrot"),
        (drivers.BasePromptDriver, "echo"),
    ],
    ids=["hook", "base class"],
)
def test_the_example_drivers_reply(documented: Any, name: str, stream: bool) -> None:
    driver = called(documented, "agenthost_prompt_drivers")[name](stream=stream)

    message = driver.run("Hello there")

    assert message.to_text().strip() == "Hello there"
    assert message.finish == "stop"
    assert driver.provider == name


@pytest.mark.parametrize(
    ("documented", "name", "vector"),
    [
        (hookspecs.agenthost_embedding_drivers, "letters", [1.0] + [0.0] * 24 + [1.0]),
        (embeddings.BaseEmbeddingDriver, "vowels", [1.0, 0.0, 0.0, 0.0, 0.0]),
    ],
    ids=["hook", "base class"],
)
def test_the_example_embedding_drivers_embed(
    documented: Any, name: str, vector: list[float]
) -> None:
    driver = called(documented, "agenthost_embedding_drivers")[name]()

    assert driver.embed(["za"]) == [vector]
    assert driver.provider == name


def test_the_example_drivers_config_of_the_hook_makes_its_driver() -> None:
    contributed = called(hookspecs.agenthost_drivers_configs, "agenthost_drivers_configs")
    config = contributed["shout"]()

    assert config.prompt_driver.run("Hello").to_text() == "HELLO"
    assert config.prompt_driver.model == "shout-1"


def test_the_example_drivers_config_of_the_base_class_has_two_kinds() -> None:
    config = plugin(drivers_config.DriversConfig)["PoliteDriversConfig"]()

    assert config.prompt_driver.run("?").to_text() == "Hello!"
    assert config.driver("image") == "a painter"


def test_the_example_vector_store_finds_by_the_first_number() -> None:
    store = plugin(vector_stores.BaseVectorStoreDriver)["ListVectorStoreDriver"]()
    for number in (1.0, 3.0, 2.0):
        store.upsert([number, -1.0], id=str(number), namespace="numbers")
    store.upsert([9.0, -1.0], id="2.0")
    store.upsert([0.0, -1.0], id="3.0", namespace="numbers")

    found = store.query([1.0, 1.0], 2, namespace="numbers")

    assert [(entry.id, entry.score) for entry in found] == [("2.0", 2.0), ("1.0", 1.0)]
    assert store.load("3.0", namespace="numbers").vector == (0.0, -1.0)
    assert store.delete("2.0")
    assert store.entries() == []


def test_the_example_validator_of_the_hook_refuses_a_long_answer() -> None:
    validator = called(hookspecs.agenthost_output_validators, "agenthost_output_validators")
    short = validator["short"]()

    assert short.validate(TextArtifact("a")).accepted
    assert short.validate(TextArtifact("a" * 101)).reason == (
        "The answer has 101 characters; at most 100."
    )


def test_the_example_validator_of_the_base_class_asks_for_politeness() -> None:
    polite = called(validators.BaseOutputValidator, "agenthost_output_validators")["polite"]()

    assert polite.validate(TextArtifact("Please.")).accepted
    assert polite.validate(TextArtifact("No.")).reason == "The answer must say please."


def test_the_example_validator_with_parameters_is_made_of_its_example() -> None:
    documented = inspect.getdoc(validators.BaseOutputValidator) or ""
    _, _, second = documented.partition("as one text:\n")
    lines = itertools.takewhile(lambda line: not line or line[0] == " ", second.splitlines())
    namespace = plugin(validators.BaseOutputValidator)
    exec(textwrap.dedent("\n".join(lines)), namespace)

    at_most = namespace["AtMost"](namespace["AtMost"].example)

    assert at_most.validate(TextArtifact("a" * 100)).accepted
    assert "101 characters" in at_most.validate(TextArtifact("a" * 101)).reason


def test_the_example_dialect_offers_reads_and_answers() -> None:
    (make,) = called(hookspecs.agenthost_dialects, "agenthost_dialects")
    dialect: dialects.BaseDialect = make()
    table = NativeNames(native_specs([("Dice", "throw")]))

    def read(text: str) -> dialects.Reply:
        return dialect.read(Message("assistant", (TextMessageContent(text),)), table)

    said = dialect.answer(
        read("!Dice_throw"), [read("!Dice_throw").actions[0].with_output(TextArtifact("6"))]
    )

    assert "Dice_throw" in dialect.offer(table).system
    assert read("It is 6.").answer == TextArtifact("It is 6.")
    assert read("!Dice_roll").problem == "!Dice_roll is no name that was offered."
    assert [message.to_text() for message in said] == ["!Dice_throw", "6"]


def test_the_example_listener_takes_an_event(capsys: pytest.CaptureFixture[str]) -> None:
    (listener,) = called(hookspecs.agenthost_event_listeners, "agenthost_event_listeners")
    output: BaseArtifact = TextArtifact("6")
    action = ToolAction("1", "Dice", "throw")

    listener(FinishActionEvent(action=action, output=output, seconds=0.25))

    assert capsys.readouterr().out == "Dice_throw 0.250 s\n"


def test_the_example_of_the_scripted_driver_makes_one() -> None:
    namespace = plugin(ScriptedDriver)

    assert len(namespace["driver"].replies) == 2


def test_the_example_of_the_kits_embedding_driver_tells_texts_apart() -> None:
    namespace = plugin(WordsEmbeddingDriver)

    assert namespace["cat"] == namespace["same"] != namespace["dog"]
