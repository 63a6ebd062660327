"""A project's packages are found in whatever folder its build has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from agenthost_sdk.testing.plugins.imports import ImportReport
from agenthost_sdk.testing.plugins.projects import read_project

PROJECT = """
[project]
name = "agenthost-plugin-weather"
version = "1.0"
dependencies = ["agenthost-sdk>=0.1,<0.2"]
[project.entry-points.agenthost]
weather = "agenthost_plugin_weather"
"""


@pytest.mark.parametrize("folder", ["src", ".", "lib", "python"])
def test_the_folder_that_holds_the_package_is_found(tmp_path: Path, folder: str) -> None:
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    for place in ("docs", "tests", "build", folder):
        (tmp_path / place).mkdir(exist_ok=True)
    package = tmp_path / folder / "agenthost_plugin_weather"
    package.mkdir()
    (tmp_path / "build" / "agenthost_plugin_weather").mkdir()

    assert read_project(tmp_path).folders == (str(package.parent),)


def test_what_is_pythons_own_is_no_package_of_others() -> None:
    modules = ("acme.tool", "json", "_sysconfigdata__linux_x86_64", "__mp_main__", "_cffi_backend")

    assert ImportReport(modules=modules).packages("acme") == {"_cffi_backend": 1}
