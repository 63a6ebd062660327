"""Write a plugin into a folder as an installer leaves one, out of code, a module or classes."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Sequence
from importlib import metadata
from importlib.util import cache_from_source
from pathlib import Path
from types import ModuleType

from agenthost_sdk.dialects import BaseDialect
from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.drivers_config import DriversConfig
from agenthost_sdk.embeddings import BaseEmbeddingDriver
from agenthost_sdk.errors import DefinitionError
from agenthost_sdk.testing.plugins.found import FoundPlugin, normalized
from agenthost_sdk.testing.plugins.projects import write_metadata
from agenthost_sdk.tools import BaseTool
from agenthost_sdk.validators import BaseOutputValidator

#: Finds the module that was given, or, in another process, loads it from its file: a module of
#: tests is not always one that can be imported.
_LOADING = """\
import importlib
import importlib.util
import sys

from agenthost_sdk.hooks import hookimpl


def _source():
    try:
        return sys.modules.get({name!r}) or importlib.import_module({name!r})
    except ImportError:
        spec = importlib.util.spec_from_file_location({name!r}, {file!r})
        module = sys.modules[{name!r}] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

"""

_HOOK = """

@hookimpl
def {hook}():
    source = _source()
    return {given}
"""

_MODULE = """
globals().update({name: value for name, value in vars(_source()).items() if name[:2] != "__"})
"""

#: The hook for each kind of class, and whether it gives a list.
_HOOKS: Sequence[tuple[type, str, bool]] = (
    (BaseTool, "agenthost_tools", True),
    (BaseDialect, "agenthost_dialects", True),
    (BasePromptDriver, "agenthost_prompt_drivers", False),
    (BaseEmbeddingDriver, "agenthost_embedding_drivers", False),
    (BaseOutputValidator, "agenthost_output_validators", False),
    (DriversConfig, "agenthost_drivers_configs", False),
)


def install_plugin(
    folder: Path,
    source: str | ModuleType | type | Sequence[type],
    name: str,
    distribution: str,
    version: str,
) -> str:
    """Write a plugin into a folder that is in `sys.path`, and return the name of its module.

    What the folder has of the distribution is replaced, as an installer does it.

    Args:
        folder: The folder.
        source: Its code, the module with its hooks, or the classes that it contributes.
        name: The name of its entry point.
        distribution: Its distribution's name.
        version: Its distribution's version.

    Raises:
        DefinitionError: Another process could not import what was given.
    """
    module = re.sub(r"\W", "_", f"temporary_{distribution}_{name}").lower()
    code = source if isinstance(source, str) else _code(source)
    requires = (f"agenthost-sdk=={metadata.version('agenthost-sdk')}",)
    plugin = FoundPlugin(name, module, normalized(distribution), version, requires)
    _remove(folder, plugin.distribution)
    file = folder / f"{module}.py"
    file.write_text(code, encoding="utf-8")
    # Of a file that is as long and as old as the one before, what was compiled would be taken.
    Path(cache_from_source(str(file))).unlink(missing_ok=True)
    write_metadata(folder, (plugin,))
    return module


def _remove(folder: Path, distribution: str) -> None:
    for metadata_folder in folder.glob(f"{distribution.replace('-', '_')}-*.dist-info"):
        shutil.rmtree(metadata_folder)


def _code(source: ModuleType | type | Sequence[type]) -> str:
    if isinstance(source, ModuleType):
        return _loading(source.__name__, source.__file__) + _MODULE
    given = [source] if isinstance(source, type) else list(source)
    modules = {one.__module__ for one in given}
    if len(modules) != 1:
        raise DefinitionError(
            f"The classes of a plugin are of one module; these are of {sorted(modules)}."
        )
    return _loading(modules.pop(), _file(given[0])) + "".join(_hooks(given))


def _loading(name: str, file: str | None) -> str:
    if file is None:
        raise DefinitionError(f"The module {name} has no file that a host could import.")
    return _LOADING.format(name=name, file=file)


def _hooks(given: Sequence[type]) -> list[str]:
    rows: dict[tuple[str, bool], list[str]] = {}
    for one in given:
        hook, is_listed = _hook(one)
        name = "" if is_listed else f"{_name(one)!r}: "
        rows.setdefault((hook, is_listed), []).append(f"{name}source.{one.__qualname__}")
    return [
        _HOOK.format(hook=hook, given=("[{}]" if is_listed else "{{{}}}").format(", ".join(row)))
        for (hook, is_listed), row in rows.items()
    ]


def _hook(one: type) -> tuple[str, bool]:
    if "<locals>" in one.__qualname__:
        raise DefinitionError(
            f"{one.__qualname__} is made in a function, where no other process finds it. Move it"
            " to the top level of its module, or give the plugin's code."
        )
    for base, hook, is_listed in _HOOKS:
        if issubclass(one, base):
            return hook, is_listed
    raise DefinitionError(f"{one.__name__} is nothing that a plugin contributes.")


def _name(one: type) -> str:
    """Return the name under which a mapping gives a class."""
    said = getattr(one, "provider", "") or getattr(one, "name", "")
    return said or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", one.__name__).lower()


def _file(one: type) -> str | None:
    return getattr(sys.modules.get(one.__module__), "__file__", None)
