"""Every hook that a plugin can implement; each docstring holds a whole small plugin.

A plugin is an installed distribution with an entry point in the group `agenthost` that names a
module (or an object) with hook implementations:

    [project.entry-points.agenthost]
    inventory = "agenthost_plugin_inventory"

Each hook is called for each plugin by itself: one that raises is reported, and the others work
as if it were not there. A hook returns classes or factories; nothing is made before it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any

from agenthost_sdk.dialects import BaseDialect
from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.drivers_config import DriversConfig
from agenthost_sdk.embeddings import BaseEmbeddingDriver
from agenthost_sdk.events import BaseEvent
from agenthost_sdk.guards import BaseActionGuard
from agenthost_sdk.hooks import hookspec
from agenthost_sdk.tools import BaseTool
from agenthost_sdk.validators import BaseOutputValidator

if TYPE_CHECKING:
    import click


@hookspec
def agenthost_tools() -> Iterable[type[BaseTool] | Callable[[], BaseTool]]:  # type: ignore[empty-body]
    """Return the tools of this plugin: classes, or functions that make one.

        from agenthost_sdk import BaseTool, activity, hookimpl

        class Dice(BaseTool):
            '''Throw dice.'''

            @activity(read_only=True)
            def sides(self, name: str) -> int:
                '''Tell how many sides a die has.

                Args:
                    name: The die, such as "d20".
                '''
                return int(name.removeprefix("d"))

        @hookimpl
        def agenthost_tools():
            return [Dice]

    Called when the catalog is made, and when a run uses one of the plugin's tools.
    """


@hookspec
def agenthost_prompt_drivers() -> Mapping[str, type[BasePromptDriver]]:  # type: ignore[empty-body]
    """Return the prompt drivers of this plugin by the name that `-m NAME:MODEL` takes.

        from collections.abc import Iterator
        from dataclasses import dataclass
        from agenthost_sdk import BasePromptDriver, DeltaMessage, Message, PromptStack, hookimpl
        from agenthost_sdk.messages import TextDeltaMessageContent, TextMessageContent

        @dataclass(kw_only=True, eq=False)
        class ParrotPromptDriver(BasePromptDriver):
            '''Say the user's words again.'''

            provider = "parrot"
            model: str = "parrot-1"

            def try_run(self, stack: PromptStack) -> Message:
                return Message("assistant", (TextMessageContent(stack.messages[-1].to_text()),))

            def try_stream(self, stack: PromptStack) -> Iterator[DeltaMessage]:
                yield DeltaMessage(TextDeltaMessageContent(stack.messages[-1].to_text()))
                yield DeltaMessage(finish="stop")

        @hookimpl
        def agenthost_prompt_drivers():
            return {"parrot": ParrotPromptDriver}

    Importing the plugin must not import the provider's package; the driver does so on first use.
    """


@hookspec
def agenthost_embedding_drivers() -> Mapping[str, type[BaseEmbeddingDriver]]:  # type: ignore[empty-body]
    """Return the embedding drivers of this plugin by the name that `Host.embedding_driver` takes.

        from collections.abc import Sequence
        from dataclasses import dataclass
        from agenthost_sdk import BaseEmbeddingDriver, hookimpl

        @dataclass(kw_only=True, eq=False)
        class LetterEmbeddingDriver(BaseEmbeddingDriver):
            '''Count each letter.'''

            provider = "letters"
            model: str = "letters-1"

            def try_embed(self, texts: Sequence[str]) -> list[list[float]]:
                letters = "abcdefghijklmnopqrstuvwxyz"
                return [[float(text.lower().count(one)) for one in letters] for text in texts]

        @hookimpl
        def agenthost_embedding_drivers():
            return {"letters": LetterEmbeddingDriver}

    Texts of like meaning are to get vectors of like direction; all vectors have one length.
    """


@hookspec
def agenthost_drivers_configs() -> Mapping[str, type[DriversConfig]]:  # type: ignore[empty-body]
    """Return the drivers configs of this plugin by the name that `Host.drivers_config` takes.

        from collections.abc import Iterator
        from dataclasses import dataclass
        from agenthost_sdk import (
            BasePromptDriver, DeltaMessage, DriversConfig, Message, PromptStack, hookimpl
        )
        from agenthost_sdk.messages import TextDeltaMessageContent, TextMessageContent

        @dataclass(kw_only=True, eq=False)
        class ShoutPromptDriver(BasePromptDriver):
            '''Say the user's words again, aloud.'''

            provider = "shout"
            model: str = "shout-1"

            def try_run(self, stack: PromptStack) -> Message:
                said = stack.messages[-1].to_text().upper()
                return Message("assistant", (TextMessageContent(said),))

            def try_stream(self, stack: PromptStack) -> Iterator[DeltaMessage]:
                said = stack.messages[-1].to_text().upper()
                yield DeltaMessage(TextDeltaMessageContent(said))
                yield DeltaMessage(finish="stop")

        class ShoutDriversConfig(DriversConfig):
            '''The drivers of a provider that has a language model only.'''

            def make_prompt_driver(self) -> BasePromptDriver:
                return ShoutPromptDriver()

        @hookimpl
        def agenthost_drivers_configs():
            return {"shout": ShoutDriversConfig}

    One for each provider, with a driver of each kind that it has; `DriversConfig` says how. The
    class is called without arguments.
    """


@hookspec
def agenthost_output_validators() -> Mapping[str, Callable[..., BaseOutputValidator]]:  # type: ignore[empty-body]
    """Return the output validators of this plugin by the name that `--validator NAME` takes.

        from agenthost_sdk import BaseArtifact, BaseOutputValidator, Verdict, hookimpl

        class Short(BaseOutputValidator):
            '''Refuse an answer of more than a hundred characters.'''

            def validate(self, output: BaseArtifact) -> Verdict:
                length = len(output.to_text())
                if length <= 100:
                    return Verdict.accept()
                return Verdict.refuse(f"The answer has {length} characters; at most 100.")

        @hookimpl
        def agenthost_output_validators():
            return {"short": Short}

    A class, or a function that makes one, under each name; a name is one word without a colon.
    With `--validator NAME:PARAMETERS` it is called with one text, all behind the first colon; see
    `BaseOutputValidator` for how a validator says what it takes.
    """


@hookspec
def agenthost_dialects() -> Iterable[type[BaseDialect]]:  # type: ignore[empty-body]
    """Return the dialects of this plugin; `--dialect NAME` takes their `name`.

        from agenthost_sdk import BaseDialect, Offer, Reply, TextArtifact, ToolAction, hookimpl
        from agenthost_sdk.messages import Message, TextMessageContent

        class Shout(BaseDialect):
            '''`!native_name` on a line of its own asks for an activity that takes no input.'''

            name = "shout"

            def offer(self, table):
                return Offer(system="To act, write !NAME. Names: " + ", ".join(table.specs))

            def read(self, message, table):
                text = message.to_text().strip()
                if not text.startswith("!"):
                    return Reply(answer=TextArtifact(text))
                spec = table.specs.get(text[1:])
                if spec is None:
                    return Reply(problem=f"{text} is no name that was offered.")
                return Reply(actions=(ToolAction("1", spec.name, spec.path),))

            def answer(self, reply, actions):
                asked = "\\n".join("!" + action.native for action in actions)
                came = "\\n".join(str(action.output) for action in actions)
                return (
                    Message("assistant", (TextMessageContent(asked),)),
                    Message("user", (TextMessageContent(came),)),
                )

        @hookimpl
        def agenthost_dialects():
            return [Shout]

    What a model is told of the format and the parser of its answer stand in one class.
    """


@hookspec
def agenthost_event_listeners() -> Iterable[Callable[[BaseEvent], Any]]:  # type: ignore[empty-body]
    """Return functions that are called with each event of each run.

        from agenthost_sdk import hookimpl
        from agenthost_sdk.events import FinishActionEvent

        def count(event):
            if isinstance(event, FinishActionEvent):
                print(event.action.native, f"{event.seconds:.3f} s")

        @hookimpl
        def agenthost_event_listeners():
            return [count]

    A listener is a plain function; an asynchronous one is refused, since nobody would await it.
    What a listener raises is logged and changes nothing.
    """


@hookspec
def agenthost_action_guards() -> Iterable[type[BaseActionGuard] | Callable[[], BaseActionGuard]]:  # type: ignore[empty-body]
    """Return guards, which look at each action before it runs and at what came of it.

        from agenthost_sdk import BaseActionGuard, DeniedError, hookimpl

        class Keeper(BaseActionGuard):
            '''Let nothing be destroyed.'''

            def before(self, action, spec):
                if spec.annotations.destructive:
                    raise DeniedError(f"{spec.native} may destroy something.")
                return action

        @hookimpl
        def agenthost_action_guards():
            return [Keeper]

    Classes, or functions that make one; each is made once for a host. `BaseActionGuard` says what
    a guard may do, and in which order guards are asked. One that cannot be made when its plugin is
    asked is reported, and the host works as if it were not there; one that could be made then and
    cannot be later ends the run; and one that raises while it looks at an action refuses that.
    """


@hookspec
def agenthost_commands() -> Iterable[click.Command]:  # type: ignore[empty-body]
    """Return commands and groups of click that `agenthost` has beside its own.

        import click
        from agenthost_sdk import hookimpl

        @click.command()
        @click.argument("name")
        @click.pass_obj
        def greet(session, name):
            '''Greet someone, and say how many tools there are.'''
            tools = session.host.toolbox().tools
            click.echo(f"Hello {name}, there are {len(tools)} tools.")

        @hookimpl
        def agenthost_commands():
            return [greet]

    `agenthost --help` lists them with the name of their plugin, from the catalog; the plugin is
    imported when one of its commands is used. The context's object has `host`, which is the
    `agenthost.Host` of this call, and `debug`. A name that `agenthost` or an earlier plugin has is
    left out and reported. What a command raises is reported with its plugin's name, and exits with
    3; a `click.ClickException` or an `AgenthostError` is an answer to the person, and told so.
    """


@hookspec
def agenthost_executors() -> Mapping[str, Callable[[], Executor]]:  # type: ignore[empty-body]
    """Return executors by the name that `--executor NAME` takes; activities then run in them.

        from concurrent.futures import ProcessPoolExecutor
        from agenthost_sdk import hookimpl

        @hookimpl
        def agenthost_executors():
            return {"processes": ProcessPoolExecutor}

    A class or a function that makes a `concurrent.futures.Executor`; one is made for a host when
    it is first used, and shut down with it. What an executor is given is a call of `tool.run`:
    where that is for another process, tool, input and result must be such that `pickle` can write
    them. Time limits hold as ever, though what runs elsewhere cannot be stopped there.
    """
