"""Installers are run as processes of their own; what they say is passed on."""

from __future__ import annotations

import os
import signal
import sys

import pytest

from agenthost.installing.processes import InstallerFailedError, Process, uninterrupted


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


def test_a_token_in_an_address_is_shown_nowhere() -> None:
    heard: list[str] = []
    code = "import sys; print('Cloning', sys.argv[1]); sys.exit(1)"

    with pytest.raises(InstallerFailedError) as failed:
        Process(heard.append).run_or_fail(
            [sys.executable, "-c", code, "git+https://t0k3n@x.org/y"]
        )

    assert "t0k3n" not in f"{failed.value}{heard}"
    assert heard == ["Cloning git+https://[redacted]@x.org/y"]


def test_variables_that_lead_pip_to_other_places_do_not_reach_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PIP_PYTHON", "/another/python")
    monkeypatch.setenv("PIP_TARGET", "/another/folder")
    monkeypatch.setenv("PIP_FIND_LINKS", "/wheels")
    code = "import os; print(sorted(name for name in os.environ if name.startswith('PIP_')))"

    ran = Process().run([sys.executable, "-c", code])

    assert "PIP_FIND_LINKS" in ran.said[0]
    assert not {"PIP_PYTHON", "PIP_TARGET"} & set(ran.said[0].split("'"))


@pytest.mark.skipif(os.name == "nt", reason="a process cannot interrupt itself alone there")
def test_an_interrupt_reaches_nobody_while_something_is_undone() -> None:
    code = "import os, signal; os.kill(os.getpid(), signal.SIGINT); print('lives')"

    with uninterrupted():
        os.kill(os.getpid(), signal.SIGINT)
        ran = Process().run([sys.executable, "-c", code])

    assert ran.said == ("lives",)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


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
