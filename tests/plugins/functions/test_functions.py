"""The functions of a file as a model sees and calls them."""

from __future__ import annotations

import asyncio
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from agenthost_plugin_functions.tool import Functions
from agenthost_sdk import Annotations, BaseArtifact, BaseTool, ErrorArtifact, ToolAction
from agenthost_sdk.errors import OptionError
from agenthost_sdk.testing import ToolConformance
from support.readme import ROOT, blocks, commands

Make = Callable[[str], Functions]
Write = Callable[..., Path]

WEATHER = '''
    """What the weather is like."""

    from __future__ import annotations

    import json
    from dataclasses import dataclass
    from math import sqrt
    from os.path import join
    from typing import Annotated, Literal

    from pydantic import Field

    from agenthost_sdk import activity


    @dataclass
    class Place:
        name: str
        height: int = 0


    @activity(
        read_only=True,
        open_world=False,
        timeout=5,
        examples=[("How warm is it in Oslo?", {"place": {"name": "Oslo"}})],
    )
    def warmth(place: Place, unit: Literal["C", "F"] = "C") -> str:
        """Tell how warm it is at a place.

        Args:
            place: Where.
            unit: C for Celsius, F for Fahrenheit.
        """
        return f"{_measured(place)} {unit}"


    def _measured(place: Place) -> int:
        return 20 - place.height // 100


    @activity(
        destructive=True,
        description="Say that it rains.",
        examples=[("Let it rain for two hours", {"hours": 2})],
    )
    async def rain(hours: Annotated[int, Field(ge=1, description="For how long.")]) -> str:
        return f"It rains for {hours} hours. It is {warmth(Place('Oslo'))}."


    double = lambda number: number * 2
'''


class TestFunctionsConform(ToolConformance):
    """The tool does what hosts expect of one, where the file says what there is to say."""

    @pytest.fixture(autouse=True)
    def _file(self, write: Write) -> None:
        self.path = write(WEATHER)

    def make_tool(self) -> BaseTool:
        return Functions(files=[str(self.path)])


def run(tool: Functions, path: str, **given: Any) -> BaseArtifact:
    return tool.run(ToolAction("1", "Functions", path, given))


def said(tool: Functions, path: str, **given: Any) -> str:
    return run(tool, path, **given).to_text()


def test_the_functions_that_the_file_defines_are_on_offer_and_no_other(functions: Make) -> None:
    tool = functions(WEATHER)

    assert [*tool.activities] == ["warmth", "rain"]
    assert [spec.native for spec in tool.specs()] == ["Functions_warmth", "Functions_rain"]


def test_schema_and_description_come_from_signature_and_docstring(functions: Make) -> None:
    warmth, rain = functions(WEATHER).specs()

    assert warmth.description == "Tell how warm it is at a place."
    assert warmth.schema["required"] == ["place"]
    assert warmth.schema["properties"]["unit"]["enum"] == ["C", "F"]
    assert warmth.schema["properties"]["unit"]["description"].startswith("C for Celsius")
    assert rain.schema["properties"]["hours"]["minimum"] == 1


def test_what_activity_says_of_a_function_is_kept(functions: Make) -> None:
    warmth, rain = functions(WEATHER).specs()

    assert (warmth.timeout, rain.timeout) == (5, None)
    assert warmth.annotations == Annotations(read_only=True, open_world=False)
    assert rain.annotations.destructive
    assert rain.description == "Say that it rains."
    assert warmth.examples[0].question == "How warm is it in Oslo?"


def test_functions_are_called_with_the_types_that_they_ask_for(functions: Make) -> None:
    tool = functions(WEATHER)

    assert said(tool, "warmth", place={"name": "Oslo", "height": 300}) == "17 C"
    assert "/place/height" in said(tool, "warmth", place={"name": "Oslo", "height": "high"})


def test_an_async_function_is_awaited_and_calls_what_bears_activity(functions: Make) -> None:
    tool = functions(WEATHER)
    action = ToolAction("1", "Functions", "rain", {"hours": 2})

    output = asyncio.run(tool.arun(action))

    assert output == tool.run(action)
    assert output.to_text() == "It rains for 2 hours. It is 20 C."


def test_a_function_that_says_nothing_of_itself_is_described_by_its_name(functions: Make) -> None:
    tool = functions("def add(a, b=3):\n    return a + b")
    [spec] = tool.specs()

    assert spec.description == "Call the Python function add of mine.py."
    assert spec.schema["required"] == ["a"]
    assert spec.schema["properties"]["b"]["default"] == 3
    assert spec.schema["additionalProperties"] is False
    assert said(tool, "add", a=4) == "7"
    assert said(tool, "add", a="x", b="y") == "xy"


@pytest.mark.parametrize(
    ("code", "offered"),
    [
        ("from math import *\nfrom json import dumps, loads\ndef f(): ...", ["f"]),
        ("import os as f\nclass C:\n    def m(self): ...\ndef g(): ...", ["g"]),
        ("def b(): ...\ndef a(): ...", ["b", "a"]),
        ("def _f(): ...\ndef __g(): ...\ndef h(): ...", ["h"]),
        ("f = lambda: 1\ndef g(): ...", ["g"]),
        ("def f(): ...\ng = f", ["f"]),
        ("def _f(): ...\ng = _f", ["g"]),
        ("__all__ = ['f']\ndef f(): ...\ndef g(): ...", ["f"]),
        ("class C:\n    def __call__(self): ...\nc = C()\ndef f(): ...", ["f"]),
        ("from functools import partial\ndef f(a): ...\ng = partial(f, 1)", ["f"]),
        ("from functools import cache\n@cache\ndef f(): ...", ["f"]),
        (
            "from functools import wraps\nfrom math import sqrt\n"
            "f = wraps(sqrt)(lambda x: x)\ndef g(): ...",
            ["g"],
        ),
        ("try:\n    from nowhere import f\nexcept ImportError:\n    def f(): ...", ["f"]),
        ("if __name__ == '__main__':\n    def f(): ...\ndef g(): ...", ["g"]),
        ("from agenthost_sdk import activity\n@activity(name='other')\ndef f(): ...", ["other"]),
        (
            "def outer():\n    def inner(): ...\n    return inner\ninner = outer()",
            ["outer", "inner"],
        ),
    ],
    ids=range(16),
)
def test_what_counts_as_a_function_of_the_file(
    functions: Make, code: str, offered: list[str]
) -> None:
    assert [*functions(code).activities] == offered


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("def f():\n    yield 1\n    yield 2", "[1, 2]"),
        ("async def f():\n    yield 1\n    yield 2", "[1, 2]"),
        ("def f(*, x: int = 1): return x", "1"),
        ("def f(x: int = 1, /): return x", "1"),
        ("def f(*xs: int): return len(xs)", "0"),
        ("def f(**more: int): return len(more)", "0"),
        ("from functools import cache\n@cache\ndef f(): return 'kept'", "kept"),
        (
            "def deco(g):\n    def inner(*a, **k): return g(*a, **k)\n    return inner\n"
            "@deco\ndef f(): return 1",
            "1",
        ),
        ("state = []\ndef f():\n    state.append(1)\n    return len(state)", "1"),
        ("import enum\nclass E(enum.Enum):\n    A = 'a'\ndef f(e: 'E' = E.A): return e", "a"),
        ("def f(): return later()\ndef later(): return 'later'", "later"),
        (
            "import pickle\nclass P: pass\n"
            "def f(): return type(pickle.loads(pickle.dumps(P()))) is P",
            "true",
        ),
        (
            "import typing\nclass P: a: 'Q'\nclass Q: pass\n"
            "def f(): return typing.get_type_hints(P)['a'] is Q",
            "true",
        ),
        ("import inspect\ndef f(): return 'def f' in inspect.getsource(f)", "true"),
        ("def f(): return __file__.endswith('mine.py') and __name__ != '__main__'", "true"),
    ],
    ids=range(15),
)
def test_functions_of_every_kind_are_called(functions: Make, code: str, expected: str) -> None:
    assert said(functions(code), "f") == expected


@pytest.mark.parametrize("call", ["1 / 0", "exit(3)", "[][1]"])
def test_a_function_that_raises_is_answered_with_an_error(functions: Make, call: str) -> None:
    assert isinstance(run(functions(f"def f():\n    return {call}"), "f"), ErrorArtifact)


def test_a_schema_of_its_own_is_taken(functions: Make) -> None:
    tool = functions(
        """
        from agenthost_sdk import activity

        SCHEMA = {
            "type": "object",
            "properties": {"n": {"type": "integer", "maximum": 3}},
            "required": ["n"],
            "additionalProperties": False,
        }

        @activity(schema=SCHEMA)
        def f(n):
            return n + 1
        """
    )

    assert said(tool, "f", n=3) == "4"
    assert isinstance(run(tool, "f", n=4), ErrorArtifact)


def test_a_function_without_a_schema_is_left_out_with_file_line_and_name(
    functions: Make, caplog: pytest.LogCaptureFixture
) -> None:
    tool = functions(
        """
        import threading

        from agenthost_sdk import activity

        def good(): ...

        def lock(a: threading.Lock): ...

        def unknown(a: "Nowhere"): ...

        def größe(): ...

        @activity(schema=lambda tool: {"type": "object"})
        def dynamic(): ...
        """
    )

    assert [*tool.activities] == ["good"]
    assert [
        words.rpartition("mine.py, ")[2].split(" is left out. ")[0] for words in tool.left_out
    ] == [
        "line 8: the function lock",
        "line 10: the function unknown",
        "line 12: the function größe",
        "line 14: the function dynamic",
    ]
    assert "Parameter 'a' of lock cannot come from JSON" in tool.left_out[0]
    assert "'Nowhere'" in tool.left_out[1]
    assert caplog.messages == [*tool.left_out]


def test_several_files_are_one_tool(write: Write) -> None:
    first, second = write("def a(): return 'a'"), write("def b(): return 'b'", "more.txt")

    tool = Functions(files=[str(first), str(second), str(first)])

    assert [*tool.activities] == ["a", "b"]
    assert said(tool, "b") == "b"
    assert Functions.watches == ("files",)


def test_two_functions_of_one_name_are_refused_with_both_places(write: Write) -> None:
    first, second = write("def a(): ..."), write("\ndef b(): ...\ndef a(): ...", "more.py")

    with pytest.raises(OptionError) as caught:
        Functions(files=[str(first), str(second)])

    assert f"{first}, line 1, and {second}, line 3" in str(caught.value)


def test_the_lists_name_functions(write: Write) -> None:
    file = str(write("def a(): ...\ndef b(): ..."))

    assert [*Functions(files=file, allowlist=["b"]).activities] == ["b"]
    assert [*Functions(files=file, denylist=["b"]).activities] == ["a"]
    with pytest.raises(OptionError, match="names 'c', which is no activity"):
        Functions(files=file, denylist=["c"])


def test_a_file_that_has_changed_is_run_again_and_one_that_has_not_is_not(write: Write) -> None:
    code = "import itertools\ncount = itertools.count(1)\ndef f(): return next(count)"
    file = str(write(code))
    first, again = Functions(files=file), Functions(files=file)

    assert (said(first, "f"), said(again, "f")) == ("1", "2")
    write(code.replace("(1)", "(7)"))
    assert said(Functions(files=file), "f") == "7"
    assert said(first, "f") == "3"


def test_threads_that_make_the_tool_at_once_run_the_file_once(write: Write) -> None:
    code = "import itertools\ncount = itertools.count(1)\ndef f(): return next(count)"
    file = str(write(code))

    with ThreadPoolExecutor(8) as pool:
        outputs = list(pool.map(lambda _: said(Functions(files=file), "f"), range(16)))

    assert sorted(map(int, outputs)) == list(range(1, 17))


def test_nothing_is_written_beside_the_file(write: Write) -> None:
    file = write("def f(): ...")
    Functions(files=str(file))

    assert [*file.parent.iterdir()] == [file]


def test_a_copy_in_another_process_knows_the_types_of_the_file(functions: Make) -> None:
    tool = functions(WEATHER)
    action = ToolAction("1", "Functions", "warmth", {"place": {"name": "Oslo"}})
    sent = pickle.dumps((tool, action, tool.arguments(action)))
    code = (
        "import pickle, sys\n"
        "tool, action, arguments = pickle.load(sys.stdin.buffer)\n"
        "print(tool.run(action, arguments).to_text())"
    )

    done = subprocess.run(
        [sys.executable, "-c", code], input=sent, capture_output=True, check=True, timeout=60
    )

    assert done.stdout.split() == [b"20", b"C"]


def test_the_readme_says_what_is_so(tmp_path: Path) -> None:
    readme = ROOT / "plugins" / "functions" / "README.md"
    plain, marked = (block.code for block in blocks(readme, "python"))
    [call] = [line for line in commands(readme) if line.startswith("tools call")]
    (tmp_path / "shop.py").write_text(plain, encoding="utf-8")
    (tmp_path / "marked.py").write_text(marked, encoding="utf-8")

    assert call == """tools call Functions_boxes '{"bottles": 20}'"""
    assert said(Functions(files=str(tmp_path / "shop.py")), "boxes", bottles=20) == "4"
    [spec] = Functions(files=str(tmp_path / "marked.py")).specs()
    assert spec.examples[0].input == {"bottles": 20}


def test_the_plugin_is_imported_without_its_tool() -> None:
    code = (
        "import sys, agenthost_plugin_functions\n"
        "print(*(name for name in sys.modules if 'plugin_' in name or name == 'pydantic'))"
    )

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )

    assert done.stdout.split() == ["agenthost_plugin_functions"]
