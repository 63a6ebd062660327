"""Change what is installed, try the host with it, and undo it where it does not work."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import NamedTuple, ParamSpec

from agenthost.installing.alone import Alone
from agenthost.installing.arrivals import arrived, named
from agenthost.installing.asked import Asked
from agenthost.installing.complaints import explained
from agenthost.installing.distributions import Installed, constraints_of, installed
from agenthost.installing.environments import Environment, this_environment
from agenthost.installing.installers import Choices, Installer
from agenthost.installing.judging import Judge, known_plugins
from agenthost.installing.processes import (
    InstallerFailedError,
    Process,
    Tell,
    uninterrupted,
)
from agenthost.installing.record import Record, Recorded, missing_from
from agenthost.installing.snapshots import Changed, Snapshot, snapshot
from agenthost.installing.trials import HostBrokenError, try_host
from agenthost.registry.entries import HOST, PluginRecord
from agenthost.settings import Settings
from agenthost_sdk.errors import AgenthostError, PluginError, SettingsError

P = ParamSpec("P")


class Done(NamedTuple):
    """What a change came to."""

    #: The distributions that were asked for, as they are now or were before they went.
    distributions: tuple[Installed, ...] = ()
    changed: tuple[Changed, ...] = ()
    #: The plugins of these distributions.
    plugins: tuple[PluginRecord, ...] = ()
    #: What a person should know of it besides.
    notes: tuple[str, ...] = ()
    #: What is wrong with the plugins and was kept all the same.
    defects: tuple[str, ...] = ()
    #: What could not be done, where several things are done one by one.
    failures: tuple[AgenthostError, ...] = ()


class Workshop:
    """Where plugins are installed: an environment, the person's settings, and the record.

    Args:
        settings: The person's settings.
        tell: Takes each line that an installer says; without it, the message of a failure has
            the last of them.
    """

    def __init__(self, settings: Settings, tell: Tell | None = None) -> None:
        self.settings = settings
        self.record = Record(settings.folders)
        self._process = Process(tell)
        self._alone = Alone(settings.folders, self._process.tell)

    @cached_property
    def environment(self) -> Environment:
        """The environment that is changed."""
        return this_environment()

    @property
    def installer(self) -> Installer:
        """What installs here.

        Raises:
            InstallerFailedError: Nothing may; the message says what a person can do.
        """
        found = self.environment
        if found.installer is None:
            raise InstallerFailedError(found.advice)
        return found.installer

    def planned(self, asked: Sequence[Asked], choices: Choices) -> list[list[str]]:
        """Return the commands that `install` would run; nothing is changed."""
        commands = [self.installer.install(asked, choices, "constraints.txt")]
        keeper = self.environment.keeper
        return commands + (keeper.keep(asked, choices, self._others(asked)) if keeper else [])

    def install(self, asked: Sequence[Asked], choices: Choices, *, keep: bool = False) -> Done:
        """Install plugins, and write down that they were asked for.

        Args:
            asked: What is to be installed; all of it, or nothing.
            choices: How it is to be installed.
            keep: Keep a plugin that does not work, as long as the host does.

        Raises:
            InstallerFailedError: It cannot be installed; nothing was changed.
            PluginError: It does not work, or the host does not with it; it was undone.
            SettingsError: The record cannot be read or written.
        """
        with self._alone():
            self.record.read()  # what cannot be written down later is not begun
            done = self._change(asked, choices, keep=keep, written=self.record.put)
        rows = [Recorded.of(one, choices) for one in named(asked, done.distributions)]
        return done._replace(notes=(*done.notes, *self._cautions(asked, choices, rows)))

    def restore(self) -> Done:
        """Install again what was asked for once and is gone, one by one."""
        with self._alone():
            return _joined([self._tried(self._restored, row) for row in self.missing()])

    def upgrade(self, asked: Sequence[Asked], choices: Choices) -> Done:
        """Bring plugins up to date, as far as the host's own versions allow it.

        Where that does not work with all of them at once, each is tried by itself.

        Raises:
            InstallerFailedError: The only one cannot be; nothing was changed.
            PluginError: The only one does not work any more, or the host does not; it was undone.
        """
        if not asked:
            return Done()
        with self._alone():
            try:
                return self._upgraded(asked, choices)
            except (InstallerFailedError, PluginError):
                if len(asked) == 1:
                    raise
                return _joined([self._tried(self._upgraded, [one], choices) for one in asked])

    def uninstall(self, names: Sequence[str]) -> Done:
        """Remove distributions, and strike them out of the record; what they needed stays.

        Raises:
            InstallerFailedError: The installer failed, and they are still there.
            PluginError: The host does not work without them.
        """
        with self._alone():
            there = installed()
            gone = tuple(there[name] for name in names if name in there)
            done = self._removed(gone) if gone else Done()
            self.record.remove(names)
            return done

    def planned_removal(self, names: Sequence[str]) -> list[list[str]]:
        """Return the commands that `uninstall` would run; nothing is changed."""
        keeper = self.environment.keeper
        return [self.installer.uninstall(names), *(keeper.forget(names) if keeper else [])]

    def renewable(self, names: Iterable[str]) -> tuple[list[Asked], list[str]]:
        """Return how distributions are asked for anew, and the names of those that are in place.

        One is asked for as it was once, or from where it came from, or else from an index.
        """
        recorded, there = self.record.read(), installed()
        asked = [
            recorded[name].asked if name in recorded else there[name].asked
            for name in names
            if name in there
        ]
        return [one for one in asked if not one.editable], [
            one.name for one in asked if one.editable
        ]

    def missing(self) -> list[Recorded]:
        """Return what was asked for once and is not installed."""
        wanted = self.record.read()
        return [wanted[name] for name in missing_from(self.settings.folders)]

    def _restored(self, row: Recorded) -> Done:
        if row.path and not os.path.exists(row.path):  # noqa: PTH110 - a text, as it is written
            raise InstallerFailedError(
                f"{row.name} was installed from {row.path}, and there is nothing any more. Install"
                " it from where it is now, or have it forgotten: `agenthost plugins uninstall"
                f" {row.name}`."
            )
        return self.install([row.asked], row.choices)

    def _upgraded(self, asked: Sequence[Asked], choices: Choices) -> Done:
        return self._change(asked, choices._replace(upgrade=True), keep=False)

    def _tried(self, change: Callable[P, Done], *args: P.args, **kwargs: P.kwargs) -> Done:
        try:
            return change(*args, **kwargs)
        except AgenthostError as error:
            return Done(failures=(error,))

    def _removed(self, gone: Sequence[Installed]) -> Done:
        installer, names = self.installer, [one.name for one in gone]
        known = known_plugins(self.settings)
        plugins = tuple(plugin for plugin in known if plugin.distribution in names)
        with snapshot(going=names) as before:
            self._process.run_or_fail(installer.uninstall(names))
            notes = tuple(before.mend())
            try:
                notes += tuple(Judge(known).spoilt(names, try_host(self.settings)))
            except HostBrokenError as error:
                raise PluginError(f"{', '.join(names)} is removed, and {error}") from error
            keeper = self.environment.keeper
            for command in keeper.forget(names) if keeper else []:
                self._process.run_or_fail(command)
            return Done(tuple(gone), tuple(before.changes()), plugins, notes)

    def _change(
        self,
        asked: Sequence[Asked],
        choices: Choices,
        *,
        keep: bool,
        written: Callable[[list[Recorded]], object] = lambda _: None,
    ) -> Done:
        installer = self.installer
        judge = Judge(known_plugins(self.settings))
        there = [one.name for one in asked if one.name]
        with (
            snapshot(there) as before,
            self._undone_if_it_fails(before, installer),
            _constraints() as held,
        ):
            self._process.run_or_fail(
                installer.install(asked, choices, held.file),
                lambda said: explained(said, asked, held.lines),
                installer.variables,
            )
            before.forget_compiled()
            rows = arrived(asked, before)
            names = [row.name for row in rows]
            _refuse_damage(names, before)
            plugins = try_host(self.settings)
            defects = judge.defects(names, plugins)
            if defects and not keep:
                raise PluginError(" ".join(defects))
            self._write_down(named(asked, rows), choices, held)
            _refuse_damage(names, before)
            written([Recorded.of(one, choices) for one in named(asked, rows)])
            ours = tuple(plugin for plugin in plugins if plugin.distribution in names)
            notes = tuple(judge.losses(one for one in plugins if one not in ours))
            return Done(tuple(rows), tuple(before.changes()), ours, notes, tuple(defects))

    def _write_down(self, asked: Sequence[Asked], choices: Choices, held: _Constraints) -> None:
        """Tell the program that keeps a list of what belongs here, where there is one."""
        keeper = self.environment.keeper
        if keeper is not None:
            for command in keeper.keep(asked, choices, self._others(asked)):
                self._process.run_or_fail(command, variables=keeper.variables(held.file))

    def _cautions(
        self, asked: Iterable[Asked], choices: Choices, rows: Sequence[Recorded]
    ) -> Iterator[str]:
        """Yield what a person should know for the next time."""
        given = [(one.text, choices.index_url) for one in asked]
        if [(row.requirement, row.index_url) for row in rows] != given:
            yield (
                f"The credentials of the address were not written into {self.record.path}. For"
                " `agenthost plugins sync`, have them in ~/.netrc, or in a keyring."
            )
        if self.environment.caution:
            yield self.environment.caution

    def _others(self, asked: Iterable[Asked]) -> list[Asked]:
        """Return what else was asked for once, and is installed."""
        there, names = installed(), {one.name for one in asked}
        rows = self.record.read().values()
        return [row.asked for row in rows if row.name in there and row.name not in names]

    @contextmanager
    def _undone_if_it_fails(self, before: Snapshot, installer: Installer) -> Iterator[None]:
        try:
            yield
        except BaseException as error:
            with uninterrupted():  # a person who is in a hurry would leave half of it
                done = " ".join(self._undone(before, installer))
                with suppress(AgenthostError):  # so that the catalog knows of it
                    try_host(self.settings)
            if isinstance(error, InstallerFailedError | SettingsError):
                raise type(error)(f"{error} {done}") from error
            if isinstance(error, HostBrokenError | PluginError):
                raise PluginError(f"{error} {done}") from error
            self._process.tell(done)
            raise

    def _undone(self, before: Snapshot, installer: Installer) -> list[str]:
        """Bring back the environment, and what others wrote down of it; return it in words."""
        keeper = self.environment.keeper
        new = [one.name for one in before.changes() if one.before is None]
        for command in keeper.forget(new) if keeper else []:
            self._process.run(command)
        return before.restore(installer, self._process)


class _Constraints(NamedTuple):
    """What is not to be changed: the host, and all that it needs."""

    file: Path
    lines: list[str]


@contextmanager
def _constraints() -> Iterator[_Constraints]:
    lines = constraints_of(HOST)
    with tempfile.TemporaryDirectory(prefix="agenthost-") as folder:
        file = Path(folder) / "constraints.txt"
        file.write_text("\n".join(lines), encoding="utf-8")
        yield _Constraints(file, lines)


def _joined(parts: Sequence[Done]) -> Done:
    return Done(*(tuple(chain.from_iterable(field)) for field in zip(*parts, strict=True)))


def _refuse_damage(names: Iterable[str], before: Snapshot) -> None:
    damage = before.damage()
    if damage:
        raise PluginError(f"{', '.join(names)} changes the host itself: {'; '.join(damage)}.")
