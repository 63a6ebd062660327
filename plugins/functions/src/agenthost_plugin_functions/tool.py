"""The tool that models see: the functions of Python files, each an activity."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from agenthost_plugin_functions.defining import activities_of, functions_of
from agenthost_plugin_functions.loading import UnusableFileError, load
from agenthost_sdk import BaseTool, ToolAction
from agenthost_sdk.activities import Activity
from agenthost_sdk.errors import DefinitionError, OptionError
from agenthost_sdk.schemas import Arguments

_log = logging.getLogger("agenthost")


class Functions(BaseTool):
    """Call the Python functions that the user has written for this."""

    #: The file of functions, or several.
    files: list[str] | str

    watches: ClassVar[Sequence[str]] = ("files",)

    def __post_init__(self) -> None:
        """Run the files, so that what is wrong with them is said at once."""
        for words in self.left_out:
            _log.warning("%s", words)

    @property
    def left_out(self) -> tuple[str, ...]:
        """Why functions of the files are not on offer, a sentence for each."""
        return tuple(self._defined[1])

    def defined_activities(self) -> dict[str, Activity[..., Any]]:
        """Return the functions by name, in the order of their files and definition."""
        return self._defined[0]

    def try_run(self, action: ToolAction, arguments: Arguments) -> Any:
        """Call the function, which has no self."""
        return self._find(action).function(*arguments.args, **arguments.kwargs)

    @cached_property
    def _paths(self) -> tuple[Path, ...]:
        """The files; one that is named twice counts once."""
        given = [self.files] if isinstance(self.files, str) else self.files
        return tuple(dict.fromkeys(Path(file).expanduser().absolute() for file in given))

    @cached_property
    def _defined(self) -> tuple[dict[str, Activity[..., Any]], list[str]]:
        """The activities of all functions, and why some have become none."""
        left_out: list[str] = []
        try:
            functions = [one for path in self._paths for one in functions_of(load(path), path)]
            found = activities_of(self.name, functions, left_out.append)
        except (UnusableFileError, DefinitionError) as error:
            raise OptionError("Functions", "files", str(error)) from error
        if not found:
            raise OptionError("Functions", "files", self._nothing(left_out))
        return found, left_out

    def _nothing(self, left_out: Sequence[str]) -> str:
        if left_out:
            return " ".join(left_out)
        named = ", ".join(map(str, self._paths)) or "The list of files"
        return (
            f"{named} defines no function that is public: one with `def`, and no underscore"
            " before its name. What is imported is none."
        )

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy in another process needs: it runs the files again."""
        made = ("activities", "inputs", "_defined")
        return {name: value for name, value in vars(self).items() if name not in made}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        """Run the files before anything of their types is read."""
        vars(self).update(state)
        _ = self._defined
