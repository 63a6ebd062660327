"""`agenthost plugins enable` and `disable`: turn a plugin on and off, and import none."""

from __future__ import annotations

import click

from agenthost.cli.names import plugins_off, plugins_on
from agenthost.cli.output import json_option, print_data
from agenthost.cli.session import Session, pass_session
from agenthost.registry.entries import HOST, PluginRecord
from agenthost.registry.selection import off_words
from agenthost.settings import Settings, write_setting
from agenthost_sdk.errors import NotFoundError, SettingsError


@click.command("disable")
@click.argument("name", shell_complete=plugins_on)
@json_option
@pass_session
def disable(session: Session, name: str, as_json: bool) -> None:
    """Turn a plugin off, by name or distribution: it is never imported.

    \b
    agenthost plugins disable weather
    """
    settings, meant = _settings(session, name, "off"), _meant(session, name)
    if any(plugin.distribution == HOST for plugin in meant):
        raise click.UsageError(
            f"{name} cannot be turned off: it is the host's own. To take single tools out, set"
            " tools.disabled."
        )
    if not meant:
        known = {word for plugin in session.catalog.plugins for word in _words(plugin)}
        raise NotFoundError("plugin", name, known)
    if not all(plugin.disabled for plugin in meant):
        _write(session, [*settings.disabled_plugins, name])
    if as_json:
        print_data("changed-plugin", {"name": name, "enabled": False})
    else:
        click.echo(f"{name} is off. To turn it on again: agenthost plugins enable {name}")


@click.command("enable")
@click.argument("name", shell_complete=plugins_off)
@json_option
@pass_session
def enable(session: Session, name: str, as_json: bool) -> None:
    """Turn a plugin on again, by name or distribution.

    \b
    agenthost plugins enable weather
    """
    disabled = _settings(session, name, "on").disabled_plugins
    meant = _meant(session, name)
    gone = {name}.union(*map(_words, meant)).intersection(disabled)
    off = next((plugin for plugin in meant if plugin.disabled), None)
    if not gone and (off or not meant):
        hint = off_words(off, session.settings) if off else ""
        raise NotFoundError("plugin that is off", name, disabled, hint)
    others = [other for other in session.catalog.plugins if other not in meant]
    # One word may have turned several plugins off; the others stay off, each by its own.
    also_on = [_words(other) for other in others if _words(other) & gone]
    kept = [word for words in also_on for word in sorted(words - gone)[:1]]
    if gone:
        _write(session, [*(word for word in disabled if word not in gone), *kept])
    if as_json:
        print_data("changed-plugin", {"name": name, "enabled": True})
    else:
        click.echo(f"{name} is on.")


def _settings(session: Session, name: str, word: str) -> Settings:
    """Return the settings, in which it is written which plugins are off.

    Raises:
        SettingsError: They cannot be read; the message says what can be done meanwhile.
    """
    try:
        return session.settings
    except SettingsError as error:
        raise SettingsError(
            f"{error} {name} was not turned {word}, for that is a setting too: mend this first."
            f" To be rid of it as things are: `agenthost plugins uninstall {name}`."
        ) from error


def _meant(session: Session, name: str) -> list[PluginRecord]:
    return [plugin for plugin in session.catalog.plugins if name in _words(plugin)]


def _words(plugin: PluginRecord) -> set[str]:
    return {plugin.name, plugin.distribution}


def _write(session: Session, disabled: list[str]) -> None:
    where = session.settings.sources.get("plugins.disabled", "")
    if where.isupper():
        raise click.UsageError(f"{where} is set, and goes before the settings file. Change that.")
    write_setting(session.settings.folders.settings_file, "plugins.disabled", disabled or None)
