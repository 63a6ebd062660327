"""Write wheels of plugins, good and bad, as a build leaves them."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from textwrap import dedent
from zipfile import ZipFile

from support.sites import plugin_code


def write_wheel(
    folder: Path,
    name: str,
    code: str | None = None,
    *,
    version: str = "1.0",
    requires: Iterable[str] = ("agenthost-sdk>=0.1,<0.2",),
    points: str | None = None,
    files: Mapping[str, str] | None = None,
    distribution: str = "",
) -> Path:
    """Write the wheel of a plugin with one module, and return its path.

    Args:
        folder: Where it is written.
        name: The entry point's name; the distribution is `agenthost-plugin-NAME`.
        code: What the module holds; a plugin that works where it is not given.
        version: The distribution's version.
        requires: What it requires.
        points: The whole of entry_points.txt; "" leaves it out.
        files: Further files by their path in the wheel.
        distribution: The distribution's name, where it is another.
    """
    distribution = distribution or f"agenthost-plugin-{name}"
    stem = distribution.replace("-", "_")
    module = f"{stem}_module"
    metadata = f"{stem}-{version}.dist-info"
    required = "".join(f"Requires-Dist: {one}\n" for one in requires)
    contents = {
        f"{module}.py": dedent(plugin_code(name.title()) if code is None else code),
        **(files or {}),
        f"{metadata}/METADATA": (
            f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n{required}"
        ),
        f"{metadata}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\n"
        "Tag: py3-none-any\n",
    }
    points = f"[agenthost]\n{name} = {module}\n" if points is None else points
    if points:
        contents[f"{metadata}/entry_points.txt"] = points
    rows = [f"{path},{_digest(text)},{len(text.encode())}" for path, text in contents.items()]
    contents[f"{metadata}/RECORD"] = "\n".join([*rows, f"{metadata}/RECORD,,", ""])
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"{stem}-{version}-py3-none-any.whl"
    with ZipFile(wheel, "w") as archive:
        for path, text in contents.items():
            archive.writestr(path, text)
    return wheel


def _digest(text: str) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest())
    return f"sha256={digest.decode().rstrip('=')}"
