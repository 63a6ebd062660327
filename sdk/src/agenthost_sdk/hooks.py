"""The marker for hook implementations and the name of the entry-point group."""

from __future__ import annotations

import pluggy

#: The group in which a plugin's distribution names its entry point, and pluggy's project name.
GROUP = "agenthost"

#: Marks a function of a plugin as the implementation of the hook whose name it bears.
hookimpl = pluggy.HookimplMarker(GROUP)

#: Marks the specifications in `agenthost_sdk.hookspecs`.
hookspec = pluggy.HookspecMarker(GROUP)
