"""`Host`: the composition root, the one object that an application needs."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from agenthost.actions.permission import Approver, Permissions
from agenthost.actions.toolbox import Toolbox
from agenthost.agents import Agent
from agenthost.choice import Choice, choose_driver, embedding_driver
from agenthost.prompts.rules import Rules
from agenthost.records.bus import Listener
from agenthost.registry.loading import PLUGIN_FAILURES, words
from agenthost.registry.plugins import Registry
from agenthost.settings import Settings
from agenthost.tasks.assembly import Question
from agenthost.tasks.limits import Limits
from agenthost.tasks.run import Run
from agenthost_sdk.dialects import BaseDialect
from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.drivers_config import DriversConfig
from agenthost_sdk.embeddings import BaseEmbeddingDriver
from agenthost_sdk.errors import DefinitionError, PluginError
from agenthost_sdk.guards import BaseActionGuard
from agenthost_sdk.validators import BaseOutputValidator


class Host:
    """The installed plugins, the settings, and what is made of both.

        host = Host()
        print(host.run("What is 23 * 19?").value)

    A host keeps no globals: two of them with two homes do not see each other. One that runs
    activities in an executor of a plugin's is closed in the end, or used in a `with` statement.

    Args:
        home: One folder for settings, data and caches; the platform's folders, or
            `AGENTHOST_HOME`, where none is given.
        settings: Takes the place of the settings file.
    """

    def __init__(self, home: Path | str | None = None, settings: Settings | None = None) -> None:
        self.settings = settings or Settings.load(home)
        self.registry = Registry(self.settings)
        self._executors: dict[str, Executor] = {}
        self._lock = threading.RLock()

    def problems(self) -> list[str]:
        """Return a line for each plugin that cannot be used, in whole or in part."""
        return self.registry.problems()

    def prompt_driver(self, named: str | None = None, **fields: Any) -> BasePromptDriver:
        """Return the driver "DRIVER" or "DRIVER:MODEL"; without a name, the settings' or the best.

        Which drivers were passed over, since their plugin is broken, is logged.

        Args:
            named: A plugin's driver, or a server that has a table in the settings.
            fields: Fields of the driver, such as `base_url`, before those of the settings.

        Raises:
            NotFoundError: No driver has that name.
            NoDriverError: Nothing was named, and nothing can be used.
            OptionError: The driver has no such field.
        """
        return self.choose_driver(named, **fields).logged()

    def choose_driver(self, named: str | None = None, **fields: Any) -> Choice[BasePromptDriver]:
        """Return what `prompt_driver` does, with why it is that one and what was passed over."""
        return choose_driver(self.registry, named, **fields)

    def embedding_driver(self, named: str | None = None) -> BaseEmbeddingDriver:
        """Return the embedding driver "DRIVER" or "DRIVER:MODEL"; without a name, the best.

        Raises:
            NotFoundError: No embedding driver has that name.
            NoDriverError: Nothing was named, and nothing can be used.
            PluginError: It cannot be made.
        """
        return embedding_driver(self.registry, named)

    def drivers_config(self, name: str) -> DriversConfig:
        """Return a new set of drivers, such as "openai", as its plugin makes it.

        The settings do not change it; `prompt_driver` makes single drivers that they do.

        Raises:
            NotFoundError: No drivers config has that name.
            PluginError: It cannot be made.
        """
        config = self.registry.drivers_config_class(name)
        try:
            return config()
        except PLUGIN_FAILURES as error:
            _, plugin = self.registry.catalog.drivers_configs[name]
            raise PluginError(
                f"Plugin {plugin.title}: drivers config {name!r} cannot be made: {words(error)}."
            ) from error

    def toolbox(self, selection: Sequence[str] | None = None) -> Toolbox:
        """Return the tools of that selection; all that are enabled where none is given.

        Args:
            selection: Names of tools, plugins, or single activities by native name.

        Raises:
            DefinitionError: The selection is no list of names.
            NotFoundError: Something in the selection bears no such name.
        """
        if selection is not None:
            _check_names(selection)
        found = self.registry.tools(selection)
        return Toolbox([one.tool for one in found], {one.tool: one.origin for one in found})

    def dialect(self, name: str) -> BaseDialect:
        """Return a dialect by name, the host's own or a plugin's.

        Raises:
            NotFoundError: No dialect has that name.
            PluginError: It cannot be made.
        """
        known = self.registry.dialects()
        if name not in known:
            raise self.registry.lacking("dialect", name, known)
        try:
            return known[name]()
        except PLUGIN_FAILURES as error:
            _, plugin = self.registry.catalog.dialects[name]
            raise PluginError(
                f"Plugin {plugin.title}: dialect {name!r} cannot be made: {words(error)}."
            ) from error

    def output_validator(self, named: str) -> BaseOutputValidator:
        """Return the output validator "NAME" or "NAME:PARAMETERS", such as "regex:^[A-Z]".

        Raises:
            NotFoundError: No validator has that name.
            SettingsError: It needs parameters, takes none, or cannot read these.
        """
        return self.registry.make_validator(named)

    def permissions(
        self,
        *,
        allow: Sequence[str] = (),
        deny: Sequence[str] = (),
        allow_all: bool = False,
        approver: Approver | None = None,
    ) -> Permissions:
        """Return the settings' permissions with further rules.

        Raises:
            SettingsError: Rules are one text in place of a list of patterns.
        """
        further = Permissions(allow, deny, allow_all, approver)
        return replace(
            further,
            allow=(*self.settings.allow, *further.allow),
            deny=(*self.settings.deny, *further.deny),
        )

    def executor(self, name: str) -> Executor:
        """Return the executor of that name; one is made when it is first asked for.

        Raises:
            NotFoundError: No executor has that name.
            PluginError: It cannot be made.
        """
        with self._lock:
            if name not in self._executors:
                self._executors[name] = self.registry.executor(name)
            return self._executors[name]

    def close(self) -> None:
        """Shut down the executors that were made, once what runs in them has ended."""
        with self._lock:
            made, self._executors = self._executors, {}
        for executor in made.values():
            executor.shutdown(cancel_futures=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @cached_property
    def _guards(self) -> tuple[BaseActionGuard, ...]:
        return tuple(self.registry.guards())

    @cached_property
    def _listeners(self) -> tuple[Listener, ...]:
        return tuple(self.registry.listeners())

    def agent(
        self,
        input: Question | None = None,
        *,
        tools: Sequence[str] | None = None,
        model: str | None = None,
        prompt_driver: BasePromptDriver | None = None,
        dialect: str | BaseDialect | None = None,
        rules: Rules = (),
        output_validators: Sequence[str | BaseOutputValidator] = (),
        permissions: Permissions | None = None,
        limits: Limits | None = None,
        listeners: Sequence[Listener] = (),
        guards: Sequence[BaseActionGuard] = (),
        executor: str | Executor | None = None,
        output_schema: Any = None,
        **options: Any,  # those of `PromptTask`, which has their types
    ) -> Agent:
        """Return an agent on the installed plugins.

        Args:
            input: The question, unless the agent's `run` is given one.
            tools: What is on offer, by name; all that is enabled where nothing is given.
            model: "DRIVER" or "DRIVER:MODEL".
            prompt_driver: Takes the place of `model`.
            dialect: The reply format, by name or as an object.
            rules: What the system message says.
            output_validators: The validators of the answer, in this order: objects, or "NAME" or
                "NAME:PARAMETERS". No other one runs.
            permissions: Which actions may run; those of the settings where none are given.
            limits: How far a run may go.
            listeners: Called with each event, beside those of the plugins.
            guards: Look at each action, after those of the plugins.
            executor: Where activities run, by name or as an object; as the settings say, or in
                threads of the host's own, where none is given.
            output_schema: What the answer has to be.
            options: What else `PromptTask` takes.
        """
        chosen = dialect or self.settings.dialect or None
        where = executor or self.settings.executor or None
        return Agent(
            input,
            tools=self.toolbox(tools),
            prompt_driver=self.prompt_driver(model) if prompt_driver is None else prompt_driver,
            dialect=self.dialect(chosen) if isinstance(chosen, str) else chosen,
            rules=rules,
            output_validators=self._validators(output_validators),
            permissions=self.permissions() if permissions is None else permissions,
            limits=limits,
            listeners=(*self._listeners, *listeners),
            guards=(*self._guards, *guards),
            executor=self.executor(where) if isinstance(where, str) else where,
            output_schema=output_schema,
            **options,
        )

    def _validators(
        self, chosen: Sequence[str | BaseOutputValidator]
    ) -> list[BaseOutputValidator]:
        listed = (chosen,) if isinstance(chosen, str) else chosen
        return [self.output_validator(one) if isinstance(one, str) else one for one in listed]

    def run(
        self,
        question: Question,
        *,
        tools: Sequence[str] | None = None,
        model: str | None = None,
        prompt_driver: BasePromptDriver | None = None,
    ) -> Run:
        """Put one question to a model with the installed tools, and return the run."""
        agent = self.agent(question, tools=tools, model=model, prompt_driver=prompt_driver)
        return agent.run()

    async def arun(
        self,
        question: Question,
        *,
        tools: Sequence[str] | None = None,
        model: str | None = None,
        prompt_driver: BasePromptDriver | None = None,
    ) -> Run:
        """Do what `run` does, without blocking the event loop."""
        agent = self.agent(question, tools=tools, model=model, prompt_driver=prompt_driver)
        return await agent.arun()


def _check_names(selection: Any) -> None:
    """Refuse a selection of tools that is one text, or holds tools in place of their names."""
    if isinstance(selection, str):
        raise DefinitionError(f"tools is {selection!r}; it must be a list: tools=[{selection!r}].")
    for one in selection:
        if not isinstance(one, str):
            raise DefinitionError(
                f"{one!r:.80} is no name. A Host chooses installed tools by name; an Agent takes"
                " tool objects: Agent(tools=[…], prompt_driver=Host().prompt_driver())."
            )
