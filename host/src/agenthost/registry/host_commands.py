"""Name the commands of `agenthost` itself, for those who must not import the command line."""

from __future__ import annotations

#: The commands of `agenthost` itself, which no plugin's command can replace.
HOST_COMMANDS = (
    "run",
    "tools",
    "drivers",
    "validators",
    "dialects",
    "plugins",
    "config",
    "keys",
    "paths",
    "completion",
    "doctor",
)
