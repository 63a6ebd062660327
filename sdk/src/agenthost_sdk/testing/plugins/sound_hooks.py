"""Register each hook of a plugin by itself, so that a wrong one takes no other with it."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, NamedTuple

import pluggy

from agenthost_sdk.hook_reading import hook_manager, signature_words


class SoundHooks(NamedTuple):
    """The hooks of a plugin that can be asked, and what is wrong with the others."""

    manager: pluggy.PluginManager
    #: What is wrong with the signature of a hook, by the name of its function.
    wrong: Mapping[str, str]


def sound_hooks(plugin: Any) -> SoundHooks:
    """Return the hooks of a plugin, each looked at by itself.

    pluggy refuses the whole of a plugin for one wrong signature, and tells of the first alone.

    Args:
        plugin: What its entry point names.
    """
    manager, wrong = hook_manager(), {}
    for name in dir(plugin):
        if manager.parse_hookimpl_opts(plugin, name) is None:
            continue
        try:
            manager.register(SimpleNamespace(**{name: getattr(plugin, name)}), name)
        except pluggy.PluginValidationError as error:
            wrong[name] = signature_words(error)
    return SoundHooks(manager, wrong)
