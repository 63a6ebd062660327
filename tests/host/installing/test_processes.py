"""Installers are run as processes of their own; what they say is passed on."""

from __future__ import annotations

import sys

import pytest

from agenthost.installing.processes import InstallerFailedError, Process


def test_each_line_is_passed_on_as_it_comes_from_either_stream() -> None:
    heard: list[str] = []
    code = "import sys; print('one', flush=True); print('two', file=sys.stderr)"

    ran = Process(heard.append).run([sys.executable, "-c", code])

    assert (ran.code, heard) == (0, ["one", "two"])


def test_a_failure_has_the_last_words_where_nobody_heard_them() -> None:
    code = "import sys; [print('line', n) for n in range(40)]; sys.exit(3)"

    with pytest.raises(InstallerFailedError) as failed:
        Process().run_or_fail([sys.executable, "-c", code], lambda said: f"{len(said)} lines.")

    message = str(failed.value)
    assert message.startswith("40 lines. The installer ended with code 3: `")
    assert "  line 39\n" in message
    assert "line 3\n" not in message


def test_a_failure_points_to_the_words_where_they_were_heard() -> None:
    with pytest.raises(InstallerFailedError, match=r"Its own words stand above\."):
        Process(lambda line: None).run_or_fail([sys.executable, "-c", "raise SystemExit(1)"])


def test_neither_the_words_nor_the_command_show_credentials() -> None:
    address = "https://me:geheim@x.org/simple"
    code = "import sys; print('Looking in', sys.argv[1]); sys.exit(1)"

    with pytest.raises(InstallerFailedError) as failed:
        Process().run_or_fail([sys.executable, "-c", code, address])

    assert "Looking in https://me:" in str(failed.value)
    assert "geheim" not in str(failed.value)


def test_a_program_that_cannot_be_started_is_named() -> None:
    with pytest.raises(InstallerFailedError, match="no-such-installer cannot be started"):
        Process().run_or_fail(["no-such-installer"])


def test_nothing_can_be_typed_into_it() -> None:
    ran = Process().run([sys.executable, "-c", "import sys; print(repr(sys.stdin.read()))"])

    assert ran.said == ("''",)


def test_further_variables_reach_it() -> None:
    code = "import os; print(os.environ['PIP_CONSTRAINT'])"

    ran = Process().run([sys.executable, "-c", code], {"PIP_CONSTRAINT": "held.txt"})

    assert ran.said == ("held.txt",)
