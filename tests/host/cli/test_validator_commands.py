"""`agenthost validators`, `run --validator` and `run --schema`, as a script meets them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.in_process import InProcess
from support.sites import Site

CLERK = """
import json, os
from agenthost_sdk import BaseOutputValidator, Verdict, hookimpl
from agenthost_sdk.testing import ScriptedDriver

class Upper(BaseOutputValidator):
    '''Write the answer in capitals.'''

    def validate(self, output):
        return Verdict.replace(output.to_text().upper())

class AtMost(BaseOutputValidator):
    '''Ask for a short answer.'''

    parameters = "NUMBER"
    example = "100"

    def __init__(self, most):
        self.most = int(most)

    def validate(self, output):
        if len(output.to_text()) <= self.most:
            return Verdict.accept()
        return Verdict.refuse(f"At most {self.most} characters.")

class Broken(BaseOutputValidator):
    def validate(self, output):
        raise KeyError("a bug")

@hookimpl
def agenthost_output_validators():
    return {"upper": Upper, "at-most": AtMost, "broken": Broken}

class Clerk(ScriptedDriver):
    def __init__(self, **options):
        super().__init__(json.loads(os.environ["CLERK_SAYS"]), **options)

@hookimpl
def agenthost_prompt_drivers():
    return {"clerk": Clerk}
"""

UNITS = {"type": "object", "properties": {"units": {"type": "integer"}}, "required": ["units"]}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a home and the plugin, whose catalog is made once for all tests."""
    place = tmp_path_factory.mktemp("clerk")
    (place / "home").mkdir()
    Site(place / "site").install("clerk", CLERK)
    return place


@pytest.fixture
def command(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[InProcess]:
    """Return the command line, with the plugin installed."""
    monkeypatch.syspath_prepend(str(place / "site"))
    yield InProcess(place / "home", capsys, monkeypatch)
    for name in [name for name in sys.modules if name.startswith("plugin_")]:
        del sys.modules[name]


def says(monkeypatch: pytest.MonkeyPatch, *replies: str) -> None:
    """Let the model of the plugin say this."""
    monkeypatch.setenv("CLERK_SAYS", json.dumps(replies))


def test_validators_are_listed_with_what_they_take(command: InProcess) -> None:
    shown = command("validators", "list")
    rows = {row["name"]: row for row in command("validators", "list", "--json").json["data"]}

    assert "at-most:NUMBER" in shown.out
    assert "Ask for a short answer." in shown.out
    assert {"regex:PATTERN", "json-schema:FILE|SCHEMA"} <= set(shown.out.split())
    assert (rows["at-most"]["parameters"], rows["at-most"]["example"]) == ("NUMBER", "100")
    assert rows["at-most"]["distribution"] == "agenthost-plugin-clerk"


@pytest.mark.parametrize(
    ("named", "answer", "code", "printed", "verdict"),
    [
        ("at-most:5", "Hello\n", 0, "accepted", "accepted"),
        ("at-most:5", "Hello\n\n", 5, "At most 5 characters.", "refused"),
        ("upper", "Hello\r\n", 0, "HELLO", "replaced"),
        ("upper", "\ufeffHello", 0, "HELLO", "replaced"),
    ],
)
def test_a_validator_judges_a_file(
    command: InProcess,
    tmp_path: Path,
    named: str,
    answer: str,
    code: int,
    printed: str,
    verdict: str,
) -> None:
    file = tmp_path / "answer.txt"
    file.write_text(answer, encoding="utf-8", newline="")

    plain = command("validators", "run", named, str(file))
    data = command("validators", "run", named, str(file), "--json")

    assert (plain.code, plain.out, plain.err) == (code, f"{printed}\n", "")
    assert data.code == code
    assert data.json["kind"] == "verdict"
    assert data.json["data"]["verdict"] == verdict
    assert printed in {"accepted", data.json["data"]["output"], data.json["data"]["reason"]}


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("at-mots:5", "-"), 4, "Did you mean 'at-most'"),
        (("at-most", "-"), 2, "It is written at-most:NUMBER, such as 'at-most:100'."),
        (("at-most:ten", "-"), 2, "'at-most' cannot be made with 'ten'"),
        (("upper:very", "-"), 2, "takes no parameters"),
        (("regex:(", "-"), 2, "missing )"),
        (("json-schema:nowhere.json", "-"), 2, "nowhere.json"),
        (("upper", "nowhere.txt"), 2, "nowhere.txt"),
        (("broken", "-"), 3, "The output validator Broken raised KeyError: 'a bug'."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_what_cannot_be_judged_is_told_in_one_line(
    command: InProcess, arguments: tuple[str, ...], code: int, words: str
) -> None:
    failed = command("validators", "run", *arguments, input="Hello")

    assert (failed.code, failed.out) == (code, "")
    assert words in failed.err
    assert "Traceback" not in failed.err


def test_an_answer_that_is_no_text_is_a_wrong_command_line(
    command: InProcess, tmp_path: Path
) -> None:
    file = tmp_path / "answer.png"
    file.write_bytes(b"\x89PNG\xff")

    failed = command("validators", "run", "length:3", str(file))

    assert failed.code == 2
    assert "no text in UTF-8" in failed.err


def test_a_run_takes_several_validators_with_parameters_and_in_order(
    command: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    says(monkeypatch, "Much too long.", "short", "Short")
    chosen = ("--validator", "at-most:6", "--validator", "regex:^[A-Z]", "--validator", "upper")

    ran = command("run", "-m", "clerk", *chosen, "?")

    assert (ran.code, ran.out) == (0, "SHORT\n")


def test_an_answer_that_is_refused_to_the_end_is_not_valid(
    command: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    says(monkeypatch, *["Much too long."] * 9)

    ran = command("run", "-m", "clerk", "--validator", "at-most:6", "?")

    assert (ran.code, ran.out) == (5, "")
    assert "At most 6 characters" in ran.err


@pytest.mark.parametrize("stream", ["--stream", "--no-stream"])
def test_an_answer_that_must_fit_a_schema_is_printed_as_json(
    command: InProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stream: str
) -> None:
    says(monkeypatch, "Three.", '{"units": "three"}', '```json\n{"units": 3}\n```')
    file = tmp_path / "answer.schema.json"
    file.write_text(json.dumps(UNITS), encoding="utf-8")

    plain = command("run", "-m", "clerk", stream, "--schema", str(file), "?")
    data = command("run", "-m", "clerk", stream, "--schema", json.dumps(UNITS), "--json", "?")

    assert (plain.code, plain.json) == (0, {"units": 3})
    assert data.json["data"]["output"] == {"units": 3}


def test_an_answer_that_never_fits_its_schema_is_not_valid(
    command: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    says(monkeypatch, *['{"units": "three"}'] * 9)

    ran = command("run", "-m", "clerk", "--schema", json.dumps(UNITS), "?")

    assert (ran.code, ran.out) == (5, "")
    assert "/units" in ran.err


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "cannot be read: No such file or directory"),
        (b"{", "is no JSON: Expecting property name"),
        (b"[]", "is an array; a JSON Schema is an object"),
        (b'{"type": "objekt"}', "/type"),
        (b'{"minimum": NaN}', "NaN is no JSON value"),
        (b"\xff\xfe", "is no text in UTF-8"),
    ],
    ids=["no file", "no JSON", "no object", "no schema", "not a number", "no text"],
)
def test_a_schema_that_cannot_be_read_is_a_wrong_command_line(
    command: InProcess, tmp_path: Path, content: bytes | None, words: str
) -> None:
    file = tmp_path / "answer.schema.json"
    if content is not None:
        file.write_bytes(content)

    failed = command("run", "-m", "local", "--schema", str(file), "?")

    assert (failed.code, failed.out) == (2, "")
    assert words in failed.err
    assert "answer.schema.json" in failed.err
