"""Tell whether a plugin was made for this host: its requirement of `agenthost-sdk` says so.

The hooks and types that a plugin uses are the sdk's, so the range of versions that its
distribution asks for is the range of hosts that it works with. It is known without importing it.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import metadata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from packaging.requirements import Requirement

#: The distributions whose version says what a plugin may use.
OURS = ("agenthost-sdk", "agenthost")


def misfit(requires: Iterable[str], plugin: str) -> str:
    """Return words for the requirement that this host does not meet, with what mends it.

    "" where it meets all of them, or where a requirement or a version cannot be read.

    Args:
        requires: Requirements of our distributions, such as "agenthost-sdk>=0.1,<0.2".
        plugin: The name of the plugin, for the words.
    """
    from packaging.requirements import InvalidRequirement, Requirement
    from packaging.version import InvalidVersion, Version

    for text in requires:
        try:
            asked = Requirement(text)
            present = Version(metadata.version(asked.name))
        except (InvalidRequirement, InvalidVersion, metadata.PackageNotFoundError):
            continue
        if not _applies(asked):
            continue
        if not asked.specifier.contains(present, prereleases=True):
            is_later = any(
                one.operator in (">", ">=", "==", "~=")
                and Version(one.version.rstrip(".*")) > present
                for one in asked.specifier
            )
            return _words(
                asked.name, str(asked.specifier), str(present), plugin, is_later=is_later
            )
    return ""


def _applies(asked: Requirement) -> bool:
    """Return whether a requirement is one here; not where its marker makes no sense."""
    from packaging.markers import UndefinedComparison, UndefinedEnvironmentName

    try:
        return asked.marker is None or asked.marker.evaluate()
    except (UndefinedComparison, UndefinedEnvironmentName):
        return False


def _words(name: str, asked: str, present: str, plugin: str, *, is_later: bool) -> str:
    when = "a later host" if is_later else "an earlier host"
    mend = "Upgrade the host" if is_later else f"Upgrade it: `agenthost plugins upgrade {plugin}`"
    return (
        f"it was made for {when}: it asks for {name} {asked}, and this is {name} {present}. It is"
        f" not imported. {mend}, or have it imported all the same:"
        f" `agenthost config set plugins.forced {plugin}`."
    )
