"""Fixtures for tests that load plugins into this process."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from support.sites import Site


@pytest.fixture
def installed(site: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """Return a site whose plugins this process can import; they are forgotten afterwards."""
    monkeypatch.syspath_prepend(str(site.folder))
    yield site
    for name in [name for name in sys.modules if name.startswith("plugin_")]:
        del sys.modules[name]
