"""`agenthost keys`: a key goes in by the standard input, and comes out nowhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from support.sites import CommandLine, Result, Site

SECRET = "sk-Abc/9+key of the test"

#: Drivers of a provider "leaky", whose code quotes its key wherever it can.
LEAKY = """
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

from agenthost_sdk import (
    BasePromptDriver, BaseTool, DeltaMessage, Message, PromptStack, activity, hookimpl,
)
from agenthost_sdk.errors import DriverError
from agenthost_sdk.keys import find_key

@dataclass(kw_only=True, eq=False)
class LeakyPromptDriver(BasePromptDriver):
    '''Say the key in each error.'''

    provider = "leaky"
    key_env = "LEAKY_API_KEY"
    rank = 1
    model: str = "told"
    max_attempts: int = 1

    def try_run(self, stack: PromptStack) -> Message:
        key = find_key(self.key_name or self.key_env)
        if not key:
            raise DriverError("There is no key.")
        if self.model == "bug":
            raise RuntimeError(f"not with {key!r}")
        if self.model == "connection":
            raise ConnectionError(f"no way to https://x.test/?k={quote(key, safe='')}")
        raise DriverError(f"Not with {key}.") from ValueError(f"bad: {key}")

    def try_stream(self, stack: PromptStack) -> Iterator[DeltaMessage]:
        raise DriverError(f"Not with {find_key(self.key_env)}.")

class OtherPromptDriver(LeakyPromptDriver):
    '''Have another key.'''

    key_env = "OTHER_API_KEY"

class FreePromptDriver(LeakyPromptDriver):
    '''Need no key.'''

    key_env = None

class Leak(BaseTool):
    '''Say the key.'''

    @activity(read_only=True)
    def key(self) -> str:
        '''Say the key.'''
        raise RuntimeError(f"not with {find_key('LEAKY_API_KEY')}")

@hookimpl
def agenthost_prompt_drivers():
    drivers = (LeakyPromptDriver, OtherPromptDriver, FreePromptDriver)
    return dict(zip(("leaky", "other", "free"), drivers))

@hookimpl
def agenthost_tools():
    return [Leak]
"""

#: Keyrings of the package keyring: one that keeps its passwords in a file, and bad ones.
KEYRINGS = """
import json, os, pathlib
from keyring.backend import KeyringBackend
from keyring.errors import PasswordDeleteError

class FileKeyring(KeyringBackend):
    priority = 1

    @property
    def path(self):
        return pathlib.Path(os.environ["KEPT_KEYRING"])

    @property
    def kept(self):
        return json.loads(self.path.read_text()) if self.path.exists() else {}

    def get_password(self, service, username):
        return self.kept.get(f"{service}/{username}")

    def set_password(self, service, username, password):
        self.path.write_text(json.dumps({**self.kept, f"{service}/{username}": password}))

    def delete_password(self, service, username):
        kept = self.kept
        if kept.pop(f"{service}/{username}", None) is None:
            raise PasswordDeleteError("not found")
        self.path.write_text(json.dumps(kept))

class Forgetful(FileKeyring):
    def set_password(self, service, username, password):
        pass

class Locked(FileKeyring):
    def get_password(self, service, username):
        raise RuntimeError(f"locked: {self.kept}")

    def set_password(self, service, username, password):
        raise RuntimeError(f"cannot run `store --password {password}`")
"""


#: The plugins that these tests look at; what is wrong with others is none of their matter.
PLUGINS = {"AGENTHOST_PLUGINS": "leaky"}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """Return a command line whose plugins were asked already what they contribute."""
    place = tmp_path_factory.mktemp("leaky")
    line = CommandLine(place / "home", Site(place / "site"), PLUGINS)
    line.home.mkdir()
    line.site.install("leaky", LEAKY)
    (line.site.folder / "keyrings_of_tests.py").write_text(KEYRINGS)
    line("tools", "list")
    return line


@pytest.fixture
def line(shared: CommandLine, tmp_path: Path) -> Iterator[CommandLine]:
    """Return a command line whose person has no key yet; it is shared, and cleared afterwards."""
    environment = {**PLUGINS, "KEPT_KEYRING": str(tmp_path / "keyring")}
    yield CommandLine(shared.home, shared.site, environment)
    for file in ("keys.json", "agenthost.toml"):
        (shared.home / file).unlink(missing_ok=True)


def kept(line: CommandLine) -> dict[str, object]:
    """Return what the file of keys holds."""
    content: dict[str, object] = json.loads((line.home / "keys.json").read_text())
    return content


@pytest.mark.parametrize("name", ["leaky", "LEAKY_API_KEY"])
def test_a_key_is_set_by_the_drivers_name_or_the_variables(line: CommandLine, name: str) -> None:
    done = line("keys", "set", name, "-", input=f"{SECRET}\n")

    assert (done.code, done.err) == (0, "")
    assert done.out == f"LEAKY_API_KEY is set, in {line.home / 'keys.json'}.\n"
    assert kept(line) == {"keys": {"LEAKY_API_KEY": SECRET}, "keyring": []}


def test_the_name_of_a_server_of_the_settings_stands_for_its_variable(line: CommandLine) -> None:
    (line.home / "agenthost.toml").write_text(
        '[drivers.mine]\ndriver = "leaky"\nkey_env = "MY_SERVERS_KEY"\n'
    )

    assert "MY_SERVERS_KEY is set" in line("keys", "set", "mine", "-", input=SECRET).out


def test_a_key_of_windows_with_a_byte_order_mark_is_set_without_it(line: CommandLine) -> None:
    line("keys", "set", "leaky", "-", input=f"\ufeff{SECRET}\r\n")

    assert kept(line)["keys"] == {"LEAKY_API_KEY": SECRET}


def test_the_standard_input_is_read_only_where_that_is_asked_for(line: CommandLine) -> None:
    done = line("keys", "set", "leaky", input=SECRET)

    assert (done.code, done.out) == (2, "")
    assert "`… | agenthost keys set LEAKY_API_KEY -`. Nothing was set." in done.err
    assert not (line.home / "keys.json").exists()


def test_a_program_is_told_what_became_of_a_key_and_not_the_key(line: CommandLine) -> None:
    kept_one = line("keys", "set", "leaky", "--stdin", "--json", input=SECRET)
    removed = line("keys", "remove", "leaky", "--json")

    assert kept_one.json["data"] == {"name": "LEAKY_API_KEY", "set": True, "kept": "file"}
    assert removed.json["data"] == {"name": "LEAKY_API_KEY", "set": False, "kept": None}
    assert kept_one.json["kind"] == removed.json["kind"] == "changed-key"
    assert SECRET not in kept_one.out


def test_a_key_is_kept_when_the_settings_are_wrong(line: CommandLine) -> None:
    (line.home / "agenthost.toml").write_text("modle = 3")

    done = line("keys", "set", "LEAKY_API_KEY", "-", input=SECRET)

    assert (done.code, done.err) == (0, "")


@pytest.mark.skipif(os.name != "posix", reason="a terminal of its own")
def test_a_person_at_a_terminal_is_asked_and_what_they_type_is_not_shown(
    line: CommandLine,
) -> None:
    import pty

    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "agenthost", "keys", "set", "leaky"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=line.variables(),
        start_new_session=True,
    )
    os.close(theirs)
    shown = b""
    while b"LEAKY_API_KEY: " not in shown:
        shown += os.read(ours, 1024)
    os.write(ours, f"{SECRET}\n".encode())
    process.wait(timeout=60)
    shown += os.read(ours, 4096)
    os.close(ours)

    assert b"LEAKY_API_KEY is set" in shown
    assert SECRET.encode() not in shown
    assert kept(line)["keys"] == {"LEAKY_API_KEY": SECRET}


@pytest.mark.parametrize(
    "arguments",
    [
        ("LEAKY_API_KEY", SECRET),
        ("leaky", "--", SECRET),
        (f"LEAKY_API_KEY={SECRET}",),
        ("leaky", "--keyring", SECRET),
        ("leaky", f"--{SECRET}"),
        ("leaky", f"-{SECRET}"),
        ("leaky", f"--value={SECRET}"),
    ],
    ids=["a word", "after dashes", "by =", "keyring", "--", "-", "an option"],
)
@pytest.mark.parametrize("further", [(), ("--debug",)], ids=["plain", "debug"])
def test_a_key_as_an_argument_is_refused_and_not_repeated(
    line: CommandLine, arguments: tuple[str, ...], further: tuple[str, ...]
) -> None:
    done = line(*further, "keys", "set", *arguments, input="another-key-on-the-input\n")

    assert (done.code, done.out) == (2, "")
    assert "shell's history" in done.err
    assert SECRET not in done.err
    assert not (line.home / "keys.json").exists()


@pytest.mark.parametrize("command", ["set", "remove"])
@pytest.mark.parametrize("further", [(), ("--debug",)], ids=["plain", "debug"])
def test_a_key_in_place_of_a_name_is_refused_and_not_repeated(
    line: CommandLine, command: str, further: tuple[str, ...]
) -> None:
    done = line(*further, "keys", command, "gsk_0123456789abcdef", input="x")

    assert (done.code, done.out) == (4, "")
    assert "neither a driver's name nor that of a variable" in done.err
    assert "leaky" in done.err
    assert "gsk_" not in done.err


def test_the_name_of_no_driver_is_answered_with_its_nearest(line: CommandLine) -> None:
    done = line("keys", "set", "leeky", "-", input=SECRET)

    assert (done.code, done.out) == (4, "")
    assert "Did you mean 'leaky'?" in done.err


def test_a_driver_that_needs_no_key_takes_none(line: CommandLine) -> None:
    done = line("keys", "set", "free", "-", input=SECRET)

    assert (done.code, done.err) == (2, "Error: The driver 'free' needs no key.\n")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (b"", "empty"),
        (b"\n", "empty"),
        (b"the-one-line\nthe-other-line\n", "one line, and 2"),
        (b"the-key\0with-a-null", "cannot be seen"),
        (b"the-key-\xff", "no text in UTF-8"),
        (b"the-key" * 20_000, "far longer"),
    ],
    ids=["nothing", "a line break", "two lines", "a null", "no text", "long"],
)
def test_what_is_no_key_is_refused_and_not_repeated(
    line: CommandLine, given: bytes, words: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "agenthost", "--debug", "keys", "set", "leaky", "-"],
        input=given,
        env=line.variables(),
        capture_output=True,
        check=False,
    )

    said = done.stderr.decode()
    assert (done.returncode, done.stdout) == (2, b"")
    assert words in said
    assert not any(part in said for part in ("the-one", "the-other", "the-key", "\\xff"))
    assert not (line.home / "keys.json").exists()


def test_a_variable_that_is_set_too_goes_before_and_that_is_said(line: CommandLine) -> None:
    done = line("keys", "set", "leaky", "-", input=SECRET, LEAKY_API_KEY="key-of-the-environment")

    assert done.code == 0
    assert done.err == "agenthost: The variable LEAKY_API_KEY is set too, and goes before it.\n"


def test_a_variable_that_no_driver_looks_for_is_kept_with_a_doubt(line: CommandLine) -> None:
    done = line("keys", "set", "LEAKY_APIKEY", "-", input=SECRET)

    assert done.code == 0
    assert "No driver here looks for LEAKY_APIKEY. Did you mean LEAKY_API_KEY" in done.err


def test_keys_are_listed_with_where_they_come_from_and_whose_they_are(line: CommandLine) -> None:
    line("keys", "set", "leaky", "-", input=SECRET)
    line("keys", "set", "SOME_OTHER_KEY", "-", input=SECRET)

    listed = line("keys", "list", "--json", OTHER_API_KEY="in-the-environment")
    both = line("keys", LEAKY_API_KEY="in-the-environment").out.splitlines()

    assert listed.json["kind"] == "keys"
    assert listed.json["data"] == [
        {"name": "LEAKY_API_KEY", "source": "file", "kept": "file", "drivers": ["leaky"]},
        {"name": "OTHER_API_KEY", "source": "environment", "kept": None, "drivers": ["other"]},
        {"name": "SOME_OTHER_KEY", "source": "file", "kept": "file", "drivers": []},
    ]
    assert [row.split(maxsplit=1)[0] for row in both] == ["LEAKY_API_KEY", "SOME_OTHER_KEY"]
    assert "in the environment, before the one in the file of keys  for leaky" in both[0]
    assert both[1].endswith("for no driver here")


def test_where_there_are_no_keys_the_way_to_one_is_told(line: CommandLine) -> None:
    assert "`agenthost keys set NAME`" in line("keys").out
    assert line("keys", "list", "--json").json["data"] == []


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such modes")
def test_a_file_that_others_can_read_is_told_of_by_the_listing_and_the_doctor(
    line: CommandLine,
) -> None:
    line("keys", "set", "leaky", "-", input=SECRET)
    (line.home / "keys.json").chmod(0o644)

    assert f"chmod 600 {line.home / 'keys.json'}" in line("keys").err
    assert f"chmod 600 {line.home / 'keys.json'}" in line("doctor").out


def test_a_broken_file_stops_the_listing_and_not_the_doctor(line: CommandLine) -> None:
    (line.home / "keys.json").write_text(f'{{"keys": {{"A": "{SECRET}"')

    listed, report = line("keys", "list", "--debug"), line("doctor", "--json")

    assert listed.code == 2
    assert listed.err.count("Mend it in an editor") == 1 + listed.err.count("SettingsError: ")
    assert report.code == 2
    [problem] = report.json["data"]["keys"]["problems"]
    assert "no valid JSON" in problem
    assert SECRET not in listed.err + report.out + report.err


def test_a_key_is_removed_and_a_variable_that_is_left_is_told_of(line: CommandLine) -> None:
    line("keys", "set", "leaky", "-", input=SECRET)

    done = line("keys", "remove", "leaky", LEAKY_API_KEY="key-of-the-environment")

    assert (done.code, done.out) == (0, "LEAKY_API_KEY is removed.\n")
    assert "The variable LEAKY_API_KEY is set, and is used as before." in done.err
    assert kept(line) == {"keys": {}, "keyring": []}


def test_a_key_that_is_not_kept_cannot_be_removed(line: CommandLine) -> None:
    done = line("keys", "remove", "leaky")

    assert (done.code, done.err) == (4, "Error: No key named 'LEAKY_API_KEY'.\n")


COMMANDS = [
    ("keys", "list"),
    ("keys", "list", "--json"),
    ("drivers", "list"),
    ("drivers", "list", "--json"),
    ("drivers", "show", "leaky"),
    ("drivers", "show", "mine", "--json"),
    ("config", "show"),
    ("config", "show", "--json"),
    ("doctor",),
    ("doctor", "--json"),
    ("run", "-m", "leaky", "Hello?"),
    ("run", "-m", "leaky", "--json", "Hello?"),
    ("run", "-m", "leaky", "--stream", "Hello?"),
    ("run", "-m", "leaky:bug", "Hello?"),
    ("run", "-m", "leaky:bug", "--json", "Hello?"),
    ("run", "-m", "leaky:connection", "Hello?"),
    ("run", "-m", "leaky:connection", "--json", "Hello?"),
    ("tools", "call", "Leak_key"),
    ("tools", "call", "Leak_key", "--json"),
]

#: What comes of what the driver, and the tool, say with the key in it.
TOLD = {"run": "[redacted]", "tools": "[redacted]"}


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize(
    ("further", "is_variable"),
    [((), False), (("--debug",), False), (("--debug",), True)],
    ids=["kept", "kept, debug", "variable, debug"],
)
def test_a_key_is_in_no_output_and_in_no_file_but_the_store(
    line: CommandLine, command: tuple[str, ...], further: tuple[str, ...], is_variable: bool
) -> None:
    (line.home / "agenthost.toml").write_text(
        '[drivers.mine]\ndriver = "leaky"\nkey_env = "LEAKY_API_KEY"\n'
    )
    environment = {"LEAKY_API_KEY": SECRET} if is_variable else {}
    if not is_variable:
        assert SECRET not in everything(line("keys", "set", "leaky", "-", input=SECRET))

    done = line(*further, *command, **environment)

    assert TOLD.get(command[0], "LEAKY_API_KEY") in everything(done) or command[0] == "config"
    assert not is_in(SECRET, everything(done))
    assert files_with(SECRET, line.home) == ([] if is_variable else ["keys.json"])


def everything(done: Result) -> str:
    return done.out + done.err


def is_in(key: str, text: str) -> bool:
    """Return whether a text holds a key, in plain or in a part that tells it."""
    return any(part in text for part in (key, "Abc/9", "Abc%2F9", "key of the", "key%20of"))


def files_with(key: str, folder: Path) -> list[str]:
    """Return the files below a folder that hold a key."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return sorted(
        str(path.relative_to(folder))
        for path in files
        if is_in(key, path.read_bytes().decode(errors="replace"))
    )


def test_secrets_in_the_options_of_a_driver_are_shown_by_no_command(line: CommandLine) -> None:
    (line.home / "agenthost.toml").write_text(
        f"""
        [drivers.leaky]
        api_key = "{SECRET}"
        base_url = "https://ann:hunter-two@x.test/v1"
        max_tokens = 4096
        [drivers.leaky.headers]
        X-Api-Key = "{SECRET}"
        Authorization = "Bearer {SECRET}"
        """
    )

    shown = [
        line(*command)
        for command in COMMANDS
        if command[0] in ("config", "drivers", "doctor") and "mine" not in command
    ]

    assert not [done for done in shown if is_in(SECRET, everything(done))]
    assert not [done for done in shown if "hunter-two" in everything(done)]
    assert "4096" in shown[-3].out


needs_keyring = pytest.mark.skipif(
    find_spec("keyring") is None, reason="the extra agenthost[keyring] is not installed"
)


def with_keyring(name: str) -> dict[str, str]:
    """Return what makes the package keyring use one of ours, or one of its own."""
    module = "keyring.backends" if name.endswith(".Keyring") else "keyrings_of_tests"
    return {"PYTHON_KEYRING_BACKEND": f"{module}.{name}"}


FILE = with_keyring("FileKeyring")


@needs_keyring
def test_a_key_is_kept_in_the_system_keyring_and_found_there(line: CommandLine) -> None:
    done = line("keys", "set", "leaky", "--keyring", "-", input=SECRET, **FILE)

    asked = line("run", "-m", "leaky", "Hello?", **FILE)
    listed = line("keys", "list", "--json")
    assert done.out == "LEAKY_API_KEY is set, in the system keyring.\n"
    assert kept(line) == {"keys": {}, "keyring": ["LEAKY_API_KEY"]}
    assert "Not with [redacted]." in asked.err
    assert listed.json["data"][0]["source"] == "keyring"
    assert files_with(SECRET, line.home) == []


@needs_keyring
def test_a_key_moves_between_the_file_and_the_keyring(line: CommandLine) -> None:
    keyring = Path(line.environment["KEPT_KEYRING"])

    line("keys", "set", "leaky", "-", input="the-first-key")
    line("keys", "set", "leaky", "--keyring", "-", input="the-second-key", **FILE)
    there = keyring.read_text()
    line("keys", "set", "leaky", "-", input="the-third-key", **FILE)

    assert "the-second-key" in there
    assert kept(line) == {"keys": {"LEAKY_API_KEY": "the-third-key"}, "keyring": []}
    assert json.loads(keyring.read_text()) == {}


@needs_keyring
def test_a_key_in_the_keyring_is_removed_there_too(line: CommandLine) -> None:
    line("keys", "set", "leaky", "--keyring", "-", input=SECRET, **FILE)

    done = line("keys", "remove", "leaky", **FILE)

    assert done.code == 0
    assert json.loads(Path(line.environment["KEPT_KEYRING"]).read_text()) == {}
    assert kept(line) == {"keys": {}, "keyring": []}


@needs_keyring
@pytest.mark.parametrize("name", ["fail.Keyring", "null.Keyring", "Forgetful", "Locked"])
def test_a_keyring_that_cannot_keep_a_key_loses_none(line: CommandLine, name: str) -> None:
    line("keys", "set", "leaky", "-", input="the-key-before")

    done = line(
        "--debug", "keys", "set", "leaky", "--keyring", "-", input=SECRET, **with_keyring(name)
    )

    assert (done.code, done.out) == (2, "")
    assert "LEAKY_API_KEY is not set" in done.err
    assert "`agenthost keys set LEAKY_API_KEY`" in done.err
    assert not is_in(SECRET, done.err)
    assert kept(line) == {"keys": {"LEAKY_API_KEY": "the-key-before"}, "keyring": []}


@needs_keyring
@pytest.mark.parametrize("name", ["fail.Keyring", "Locked"])
def test_a_key_whose_keyring_cannot_be_read_is_told_of_with_the_ways_on(
    line: CommandLine, name: str
) -> None:
    line("keys", "set", "leaky", "--keyring", "-", input=SECRET, **FILE)

    asked = line("run", "-m", "leaky", "Hello?", **with_keyring(name))
    forgotten = line("keys", "remove", "leaky", **with_keyring(name))

    assert asked.code == 2
    assert "LEAKY_API_KEY is kept in the system keyring, which cannot be read" in asked.err
    assert "`agenthost keys remove LEAKY_API_KEY`" in asked.err
    assert not is_in(SECRET, asked.err + forgotten.err)
    assert forgotten.code == 1
    assert "The system keyring still has the old LEAKY_API_KEY" in forgotten.err
    assert kept(line) == {"keys": {}, "keyring": []}


@needs_keyring
def test_a_key_that_the_keyring_lost_is_told_of(line: CommandLine) -> None:
    line("keys", "set", "leaky", "--keyring", "-", input=SECRET, **FILE)
    Path(line.environment["KEPT_KEYRING"]).unlink()

    asked = line("run", "-m", "leaky", "Hello?", **FILE)

    assert asked.code == 2
    assert "which has it no more" in asked.err


#: Runs a command in a Python that has no package keyring, and says whether it was looked for.
WITHOUT_KEYRING = """
import sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "keyring":
            print("looked for keyring", file=sys.stderr)
            raise ModuleNotFoundError("No module named 'keyring'", name=name)

sys.meta_path.insert(0, Finder())
from agenthost.cli import main
sys.exit(main(sys.argv[1:]))
"""


def without_keyring(line: CommandLine, *arguments: str) -> Result:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_KEYRING, *arguments],
        input=SECRET,
        env=line.variables(),
        capture_output=True,
        text=True,
        check=False,
    )
    return Result(done.returncode, done.stdout, done.stderr)


def test_without_the_package_keyring_the_way_to_it_is_told(line: CommandLine) -> None:
    done = without_keyring(line, "keys", "set", "leaky", "--keyring", "-")

    assert (done.code, done.out) == (2, "")
    assert 'pip install "agenthost[keyring]"' in done.err
    assert not (line.home / "keys.json").exists()


def test_the_doctor_tells_of_a_keyring_that_is_gone(line: CommandLine) -> None:
    (line.home / "keys.json").write_text('{"keyring": ["LEAKY_API_KEY"]}')

    report = without_keyring(line, "doctor")

    assert "The system keyring, which has LEAKY_API_KEY, cannot be used" in report.out
    assert 'pip install "agenthost[keyring]"' in report.out


@pytest.mark.parametrize(
    "command",
    [("keys",), ("drivers",), ("doctor",), ("run", "-m", "leaky", "Hello?")],
    ids=" ".join,
)
def test_the_package_keyring_is_not_looked_for_while_no_key_is_kept_there(
    line: CommandLine, command: tuple[str, ...]
) -> None:
    line("keys", "set", "leaky", "-", input=SECRET)

    assert "looked for keyring" not in without_keyring(line, *command).err


@pytest.mark.parametrize("command", [("keys",), ("drivers",)], ids=" ".join)
def test_a_listing_reads_no_keyring(line: CommandLine, command: tuple[str, ...]) -> None:
    (line.home / "keys.json").write_text('{"keyring": ["LEAKY_API_KEY"]}')

    listed = without_keyring(line, *command)

    assert listed.code == 0
    assert "in the system keyring" in listed.out
    assert "looked for keyring" not in listed.err
