"""Ask the driver of a step, within the time that is left, and another one where it fails."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import wait
from contextlib import contextmanager

from agenthost.records.bus import Bus
from agenthost.requests import Prompt
from agenthost.tasks.deadlines import out_of_time, seconds_left
from agenthost.tasks.run import Run
from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.errors import DriverError
from agenthost_sdk.messages import Message
from agenthost_sdk.prompt_events import PromptEvents
from agenthost_sdk.threads import start_thread


class Prompting:
    """The prompts of one run."""

    def __init__(self, run: Run, bus: Bus) -> None:
        self._run = run
        self._bus = bus

    def ask(self, request: Prompt) -> Message:
        """Return the reply of the step's driver, or of the fallback driver where that fails."""
        driver, *others = self._drivers(request)
        with self._bus.prompt(request.step) as events:
            try:
                return self._asked(driver, request, events)
            except DriverError as error:
                if not others:
                    raise
                with _telling_both(error):
                    return self._asked(others[0], request, events)
            finally:  # however it ends, all of it is billed
                self._run.usage += events.usage

    async def aask(self, request: Prompt) -> Message:
        """Do what `ask` does, without blocking the event loop."""
        driver, *others = self._drivers(request)
        with self._bus.prompt(request.step) as events:
            try:
                return await self._aasked(driver, request, events)
            except DriverError as error:
                if not others:
                    raise
                with _telling_both(error):
                    return await self._aasked(others[0], request, events)
            finally:  # as above
                self._run.usage += events.usage

    def _drivers(self, request: Prompt) -> list[BasePromptDriver]:
        setup = self._run.setup
        driver, fallback = setup.driver_for(request.step), setup.fallback_driver
        return [driver] if fallback is None or fallback is driver else [driver, fallback]

    def _asked(self, driver: BasePromptDriver, request: Prompt, events: PromptEvents) -> Message:
        left = seconds_left(self._run)
        if left is None:
            return driver.run(request.stack, events)
        future = start_thread(lambda: driver.run(request.stack, events))
        if not wait([future], left).done:
            raise out_of_time(self._run)
        return future.result()

    async def _aasked(
        self, driver: BasePromptDriver, request: Prompt, events: PromptEvents
    ) -> Message:
        left = seconds_left(self._run)
        if left is None:
            return await driver.arun(request.stack, events)
        try:
            async with asyncio.timeout(left) as clock:
                return await driver.arun(request.stack, events)
        except TimeoutError:
            if clock.expired():
                raise out_of_time(self._run) from None
            raise


@contextmanager
def _telling_both(first: DriverError) -> Iterator[None]:
    """Let the failure of a fallback driver tell of the first failure too."""
    try:
        yield
    except DriverError as second:
        words = f"{second} The fallback was asked because of: {first}"
        raise DriverError(words, status=second.status, request_id=second.request_id) from first
