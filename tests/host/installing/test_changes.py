"""What was asked for is restored, or it is said why it cannot be."""

from __future__ import annotations

from pathlib import Path

from agenthost.installing.changes import Workshop
from agenthost.installing.record import Recorded
from agenthost.settings import Settings


def test_what_lay_in_a_folder_that_is_gone_is_named_with_what_to_do(tmp_path: Path) -> None:
    shop = Workshop(Settings.load(tmp_path))
    gone = str(tmp_path / "gone")
    shop.record.put([Recorded("agenthost-plugin-gone", gone, gone, editable=True)])

    done = shop.restore()

    [failure] = map(str, done.failures)
    assert failure.startswith(f"agenthost-plugin-gone was installed from {gone}, and there is no")
    assert "`agenthost plugins uninstall agenthost-plugin-gone`" in failure
