"""Watch the import of a plugin in an interpreter of its own, and tell what it did."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from agenthost_sdk.testing.plugins.child import call_in_child
from agenthost_sdk.testing.plugins.found import FoundPlugin


class ImportReport(NamedTuple):
    """What importing a plugin and calling its hooks did; the sdk was there before."""

    #: Why it failed; "" where it did not.
    error: str = ""
    #: Whether the module that the entry point names is not there.
    is_missing: bool = False
    #: How asking its hooks ended the process; "" where it did not.
    hooks_error: str = ""
    #: The hooks that could not be asked, since their signatures are wrong.
    unasked: tuple[str, ...] = ()
    #: How long its import took, and the modules that it added.
    seconds: float = 0.0
    modules: tuple[str, ...] = ()
    #: What the plugin's own modules did beside being imported, and what those of others did.
    work: tuple[str, ...] = ()
    work_of_others: tuple[str, ...] = ()
    #: What was printed on the standard output, and on the standard error.
    printed: str = ""
    complained: str = ""

    def modules_of(self, package: str) -> list[str]:
        """Return the modules of a package that it added, the package itself where it has none."""
        inner = [module for module in self.modules if module.startswith(f"{package}.")]
        return inner or [module for module in self.modules if module == package]

    def packages(self, own: str) -> Mapping[str, int]:
        """Return the packages of others that it added, with their numbers of modules."""
        tops = Counter(module.partition(".")[0] for module in self.modules)
        ours = {own, "agenthost", "agenthost_sdk", *sys.stdlib_module_names}
        others = {top: count for top, count in tops.most_common() if top not in ours}
        # Python's own as well, under names that are not listed: __mp_main__, _sysconfigdata_….
        return {top: n for top, n in others.items() if not top.startswith(("__", "_sysconfig"))}


def watch_import(plugin: FoundPlugin, seconds: float) -> ImportReport:
    """Import a plugin in a new interpreter, once for all who ask, and return what that did.

    Args:
        plugin: The plugin.
        seconds: How long its import may take.
    """
    return _watched(plugin.value, plugin.top, tuple(sys.path), seconds)


@lru_cache(maxsize=64)
def _watched(value: str, top: str, path: tuple[str, ...], seconds: float) -> ImportReport:
    call = "agenthost_sdk.testing.plugins.observing:main"
    ended = call_in_child(call, {"value": value, "path": list(path)}, seconds)
    if not ended.report:
        report = ImportReport(f"its import {ended.ending or 'ended the process'}.")
        return report._replace(printed=ended.printed, complained=ended.complained)
    seen = {**ended.report[0], **ended.report[-1]}
    own: list[str] = []
    others: list[str] = []
    for owner, did in seen["work"].items():
        (own if _is_of(owner, top) else others).extend(did)
    return ImportReport(
        error=seen["error"],
        is_missing=seen["is_missing"],
        hooks_error=f"asking its hooks {ended.ending}." if ended.ending else "",
        unasked=tuple(seen.get("unasked", ())),
        seconds=seen["seconds"],
        modules=tuple(seen["modules"]),
        work=tuple(own),
        work_of_others=tuple(others),
        printed=ended.printed,
        complained=ended.complained,
    )


def _is_of(module: str, top: str) -> bool:
    return f"{module}.".startswith(f"{top}.")
