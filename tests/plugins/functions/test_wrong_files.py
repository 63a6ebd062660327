"""What is wrong with a file is said with its name, its line and the way on."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from agenthost_plugin_functions.tool import Functions
from agenthost_sdk.errors import OptionError

Write = Callable[..., Path]


def refusal(*files: Path | str) -> str:
    with pytest.raises(OptionError) as caught:
        Functions(files=[str(file) for file in files])
    assert caught.value.option == "files"
    assert caught.value.tool == "Functions"
    return str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    assert refusal(tmp_path / "gone.py").startswith(f"There is no file {tmp_path / 'gone.py'}.")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    assert "is a folder" in refusal(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")

    assert "not an ordinary file" in refusal(tmp_path / "pipe.py")


def test_no_file_at_all_is_refused() -> None:
    assert "The list of files defines no function" in refusal()


@pytest.mark.parametrize("value", [7, None, [7], {"a": 1}])
def test_files_are_texts(value: object) -> None:
    with pytest.raises(OptionError, match="The option 'files' of Functions does not fit"):
        Functions(files=value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("def f(:\n    ...", "line 1, is no Python: invalid syntax."),
        ("x = 1\n  y = 2", "line 2, is no Python: unexpected indent."),
        ("x = 1\n\nx / 0", "line 3: ZeroDivisionError: division by zero."),
        ("def f():\n    raise KeyError('a')\nf()", "line 2: KeyError: 'a'."),
        ("import sys\nsys.exit(2)", "line 2: it ended Python when it was run (SystemExit: 2)."),
        ("raise BaseException('odd')", "line 1: BaseException: odd."),
        ("import nowhere_at_all", "Install nowhere_at_all where agenthost is installed."),
        ("from . import beside", "A file of functions stands alone"),
        ("import beside", "A file of functions stands alone"),
        ("from math import nothing", "line 1: ImportError: cannot import name 'nothing'"),
        ("", "defines no function that is public"),
        ("from math import sqrt", "What is imported is none."),
        ("import threading\ndef f(a: threading.Lock): ...", "line 2: the function f is left out."),
        ("x = '\0'", "null bytes"),
        ("# coding: nothing-known\n", "unknown encoding"),
        ("eval('1 +')", "line 1: SyntaxError"),
    ],
    ids=range(16),
)
def test_a_file_that_cannot_be_used_is_answered_with_why(
    write: Write, code: str, words: str
) -> None:
    write("def g(): ...", "beside.py")
    file = write(code)

    said = refusal(file)

    assert words in said
    assert str(file) in said


def test_a_file_of_another_encoding_says_so(tmp_path: Path) -> None:
    (tmp_path / "odd.py").write_bytes(b"# coding: latin-1\ndef f(): return 'gr\xfc\xdfe'\n")
    (tmp_path / "wrong.py").write_bytes(b"def f(): return 'gr\xfc\xdfe'\n")

    assert [*Functions(files=str(tmp_path / "odd.py")).activities] == ["f"]
    assert "wrong.py" in refusal(tmp_path / "wrong.py")


def test_a_file_that_raises_leaves_no_module(write: Write) -> None:
    before = set(sys.modules)

    refusal(write("x = 1\n\nx / 0"))

    assert {name for name in set(sys.modules) - before if "functions" in name} == set()


def test_a_file_that_is_mended_can_be_used(write: Write) -> None:
    file = write("1 / 0")
    refusal(file)
    write("def f(): ...")

    assert [*Functions(files=str(file)).activities] == ["f"]


def test_a_name_may_start_at_home(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    home = write("def f(): ...").parent
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))

    assert [*Functions(files="~/mine.py").activities] == ["f"]


def test_a_relative_name_stays_where_it_was_given(
    write: Write, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write("def f(): ...")
    monkeypatch.chdir(file.parent)
    tool = Functions(files="mine.py")
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))

    assert [*tool.activities] == ["f"]


def test_an_interrupt_by_the_user_is_no_fault_of_the_file(write: Write) -> None:
    with pytest.raises(KeyboardInterrupt):
        Functions(files=str(write("raise KeyboardInterrupt")))


def test_a_file_named_as_a_module_of_python_hides_none(write: Write) -> None:
    file = write("def f():\n    import json\n    return json.dumps([1])", "json.py")
    code = (
        "import sys\nfrom agenthost_plugin_functions.tool import Functions\n"
        "from agenthost_sdk import ToolAction\n"
        "print(Functions(files=sys.argv[1]).run(ToolAction('1', 'Functions', 'f')).to_text())"
    )

    done = subprocess.run(
        [sys.executable, "-c", code, str(file)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )

    assert done.stdout.strip() == "[1]"
