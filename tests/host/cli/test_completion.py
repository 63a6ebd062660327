"""What a shell completes, asked for by real shells and by what their scripts ask."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.sites import CommandLine, Site, plugin_code

MOST_MODULES = 150

DRIVER = """
from agenthost_sdk import BaseOutputValidator, Verdict, hookimpl
from agenthost_sdk.testing import ScriptedDriver

class Acme(ScriptedDriver):
    '''Ask Acme: at once.'''

    key_env = "ACME_API_KEY"

class Polite(BaseOutputValidator):
    '''Ask for a kind word.'''

    def validate(self, output):
        return Verdict.accept()

@hookimpl
def agenthost_prompt_drivers():
    return {"acme": Acme}

@hookimpl
def agenthost_output_validators():
    return {"polite": Polite}
"""

#: Imports nothing heavy, and says what it imported when it has answered.
REPORT = """
import sys
from agenthost.cli import main
main([])
print(*sys.modules, file=sys.stderr)
"""


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """Return a command line whose plugins were asked already what they contribute."""
    greeter = plugin_code().replace("    @activity", "    tone: str = 'kind'\n\n    @activity")
    plugins = {"greeter": greeter, "acme": DRIVER}
    line = CommandLine.with_plugins(tmp_path_factory.mktemp("completing"), plugins)
    line.environment["AGENTHOST_PLUGINS"] = "greeter,acme"
    line("tools", "list")
    return line


@pytest.fixture
def line(shared: CommandLine) -> Iterator[CommandLine]:
    with shared.lent() as lent:
        yield lent


def asked(words: str, shell: str = "bash") -> dict[str, str]:
    """Return the variables by which a shell's script asks; the last word is incomplete."""
    last = words.split(" ")[-1]
    place = last if shell == "fish" else str(len(words.split(" ")) - 1)
    answer = f"{shell}_complete"
    return {"_AGENTHOST_COMPLETE": answer, "COMP_WORDS": words, "COMP_CWORD": place}


def completions(line: CommandLine, words: str) -> list[str]:
    """Return what may stand in place of the last word."""
    answered = line(**asked(f"agenthost {words}"))
    assert answered.err == ""
    return [row.partition(",")[2] for row in answered.out.splitlines() if row]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("too", ["tools"]),
        ("comp", ["completion"]),
        ("tools ", ["call", "list", "schema", "show"]),
        ("drivers ", ["list", "show"]),
        ("plugins en", ["enable"]),
        ("tools list --j", ["--json"]),
        ("run --no", ["--no-stream", "--no-input"]),
        ("completion ", ["bash", "zsh", "fish"]),
        ("paths c", ["config", "cache"]),
        ("tools show Gr", ["Greeter", "Greeter_hello"]),
        ("tools schema Gr", ["Greeter", "Greeter_hello"]),
        ("tools schema Greeter Gr", ["Greeter_hello"]),
        ("tools schema --for a", ["anthropic"]),
        ("tools call Gr", ["Greeter_hello"]),
        ("run -t Gr", ["Greeter", "Greeter_hello"]),
        ("run --tool Gr", ["Greeter", "Greeter_hello"]),
        ("run --allow Gr", ["Greeter_hello"]),
        ("run -m a", ["acme"]),
        ("run --dialect cl", ["classic"]),
        ("run --validator po", ["polite"]),
        ("validators run po", ["polite"]),
        ("drivers show a", ["acme"]),
        ("config set limits.max_s", ["limits.max_subtasks", "limits.max_seconds"]),
        ("config get dia", ["dialect"]),
        ("config set tools.Gree", ["tools.Greeter.tone"]),
        ("config set model ", ["acme"]),
        ("config set tools.disabled Greeter_", ["Greeter_hello"]),
        ("config set plugins.only gr", ["greeter"]),
        ("keys set ", ["acme", "ACME_API_KEY"]),
        ("keys remove ", []),
        ("plugins show gr", ["greeter"]),
        ("plugins check gr", ["greeter"]),
        ("plugins uninstall gr", ["greeter"]),
        ("plugins upgrade gr", ["greeter"]),
        ("plugins uninstall agenth", []),
        ("plugins disable ", ["acme", "greeter"]),
    ],
)
def test_what_may_stand_there_is_offered(
    line: CommandLine, words: str, offered: list[str]
) -> None:
    assert completions(line, words) == offered


def test_a_plugin_that_this_line_leaves_out_has_no_names(line: CommandLine) -> None:
    line("-p", "no:greeter", "tools", "list")

    assert completions(line, "-p no:greeter tools show Gr") == []


def test_the_name_of_a_file_is_left_to_the_shell(line: CommandLine) -> None:
    assert line(**asked("agenthost run --schema an")).out == "file,an\n"


def test_a_shell_that_shows_words_beside_the_names_has_them(line: CommandLine) -> None:
    zsh = line(**asked("agenthost run -m a", "zsh"))
    fish = line(**asked("agenthost run -m a", "fish"))

    assert zsh.out == "plain\nacme\nAsk Acme: at once.\n"
    assert fish.out == "plain,acme\tAsk Acme: at once.\n"


def test_a_name_that_a_shell_would_run_is_not_offered(site: Site, agenthost: CommandLine) -> None:
    site.install("acme", DRIVER)
    (agenthost.home / "agenthost.toml").write_text(
        '[drivers."acme$(touch ran)"]\ndriver = "acme"\n[drivers.acme2]\ndriver = "acme"\n'
    )
    listed = agenthost("drivers", "list", "--json").json["data"]

    assert "acme$(touch ran)" in [row["name"] for row in listed]
    assert completions(agenthost, "drivers show ac") == ["acme", "acme2"]


@pytest.mark.parametrize(
    "words",
    ["", "tools ", "tools show ", "run ", "run -t ", "run --", "config set model ", "keys set "],
)
def test_a_completion_costs_as_little_as_the_help(line: CommandLine, words: str) -> None:
    answered = subprocess.run(
        [sys.executable, "-c", REPORT],
        env=line.variables(asked(f"agenthost {words}")),
        capture_output=True,
        text=True,
        check=True,
    )

    modules = set(answered.stderr.split())
    assert len(modules) < MOST_MODULES
    assert not modules & {"pydantic", "jinja2", "jsonschema", "tomlkit", "pluggy", "openai"}
    assert not [name for name in modules if name.startswith("plugin_")]


def test_settings_that_cannot_be_read_put_no_word_across_the_line(agenthost: CommandLine) -> None:
    (agenthost.home / "agenthost.toml").write_text("modle = 3")

    answered = agenthost(**asked("agenthost tools show "))

    assert (answered.out, answered.err) == ("", "")


@pytest.mark.parametrize("words", ["nothing ", "tools nothing ", "--nothing tools ", "run 'open "])
def test_a_line_that_makes_no_sense_is_no_error(line: CommandLine, words: str) -> None:
    assert line(**asked(f"agenthost {words}")).err == ""


def test_names_are_there_at_once_where_the_catalog_is_made_in_time(
    site: Site, agenthost: CommandLine
) -> None:
    site.install("greeter", plugin_code())
    words = asked("agenthost tools show Greeter_")

    answered = agenthost(**words)
    while not answered.out.strip():  # on a busy machine it takes more than one try
        assert answered.err == ""
        answered = agenthost(**words)

    assert answered.out == "plain,Greeter_hello\n"


@pytest.mark.parametrize("words", ["", "tools show ", "of_a_plugin "])
def test_a_plugin_that_hangs_and_prints_keeps_nobody_waiting(
    site: Site, agenthost: CommandLine, words: str
) -> None:
    site.install("stuck", "import time; print('loud', flush=True); time.sleep(600)")
    agenthost.environment |= {"AGENTHOST_PLUGINS": "stuck", "AGENTHOST_PLUGIN_TIMEOUT": "5"}

    answered = agenthost(**asked(f"agenthost {words}"))

    assert (answered.code, answered.err) == (0, "")
    assert ("plain,tools" in answered.out) is (words == "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell_is_printed_and_calls_agenthost(
    line: CommandLine, shell: str
) -> None:
    printed = line("completion", shell)

    assert printed.code == 0
    assert f"_AGENTHOST_COMPLETE={shell}_complete" in printed.out
    assert line("completion", "tcsh").code == 2


BASH = """
eval "$(agenthost completion bash)"
read -ra COMP_WORDS <<< "$1"
COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))
_agenthost_completion agenthost
printf '%s\\n' "${COMPREPLY[@]}"
"""

FISH = """
agenthost completion fish | source
complete --do-complete "$argv[1]" | string split -f1 \\t
"""


def in_shell(line: CommandLine, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a shell that finds `agenthost`, in a home where nothing else lies."""
    return subprocess.run(
        command,
        env=shell_environment(line),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=line.home,
    )


def shell_environment(line: CommandLine) -> dict[str, str]:
    programs = str(Path(sys.executable).parent)
    home = str(line.home)
    return line.variables(
        {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "HOME": home, "ZDOTDIR": home}
    )


def has(shell: str) -> bool:
    """Return whether a shell is here that completes as its script wants."""
    if os.name == "nt" or shutil.which(shell) is None:
        return False
    said = subprocess.run([shell, "--version"], capture_output=True, text=True, check=False)
    version = re.search(r"(\d+)\.(\d+)", said.stdout)
    # macOS comes with the bash of 2007, whose completion knows too little.
    return shell != "bash" or (
        version is not None and (int(version[1]), int(version[2])) >= (4, 4)
    )


needs_bash = pytest.mark.skipif(not has("bash"), reason="needs bash 4.4 or later")
needs_fish = pytest.mark.skipif(not has("fish"), reason="needs fish")
needs_zsh = pytest.mark.skipif(not has("zsh"), reason="needs zsh")


@needs_bash
def test_bash_completes_by_its_script(line: CommandLine) -> None:
    offered = in_shell(line, "bash", "--norc", "-c", BASH, "bash", "agenthost tools show Gr")

    assert offered.stdout.split() == ["Greeter", "Greeter_hello"]
    assert offered.stderr == ""


@needs_fish
def test_fish_completes_by_its_script(line: CommandLine) -> None:
    offered = in_shell(line, "fish", "--no-config", "-c", FISH, "agenthost tools show Gr")

    assert offered.stdout.split() == ["Greeter", "Greeter_hello"]
    assert offered.stderr == ""


@pytest.mark.parametrize(
    ("shell", "setup"),
    [
        pytest.param(["bash", "--norc", "-i"], "", marks=needs_bash, id="bash"),
        pytest.param(
            ["zsh", "-f", "-i"],
            "autoload -U compinit; compinit -u -D; ",
            marks=needs_zsh,
            id="zsh",
        ),
    ],
)
def test_a_person_who_presses_tab_gets_the_rest_of_the_name(
    line: CommandLine, shell: list[str], setup: str
) -> None:
    script = f'{setup}eval "$(agenthost completion {shell[0]})"; echo rea""dy'

    typed = at_terminal(
        line, shell, [f"{script}\n"], "ready", "agenthost tools show Greeter_h\t --json\n"
    )

    shown = typed[typed.index("{") :]
    assert json.loads(shown[: shown.rindex("}") + 1])["data"][0]["name"] == "Greeter"


def at_terminal(
    line: CommandLine, command: list[str], first: list[str], mark: str, then: str
) -> str:
    """Return what a shell on a terminal shows after what is typed when it is ready."""
    import pty

    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=shell_environment(line) | {"TERM": "dumb", "PS1": "$ "},
        cwd=line.home,
        start_new_session=True,
    )
    os.close(theirs)
    os.write(ours, "".join(first).encode())
    shown = b""
    while mark.encode() not in shown:
        shown += os.read(ours, 4096)
    os.write(ours, f"{then}exit\n".encode())
    after = b""
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:  # so Linux says that nobody has the terminal any more
            break
        if not piece:
            break
        after += piece
    process.wait(timeout=60)
    os.close(ours)
    return after.decode().replace("\r\n", "\n")
