"""Which model `agenthost run` runs on, and what it says of that."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from support.provider_server import ProviderServer
from support.sites import CommandLine

SPEAKERS = """
import os
from dataclasses import dataclass
from agenthost_sdk import BasePromptDriver, DeltaMessage, Message, hookimpl
from agenthost_sdk.messages import TextDeltaMessageContent, TextMessageContent

@dataclass(kw_only=True, eq=False)
class Speaker(BasePromptDriver):
    '''Say which one speaks.'''

    provider = "speaker"
    key_env = "SPEAKER_API_KEY"
    rank = 1
    model: str = "loud"
    base_url: str | None = None

    def __post_init__(self):
        if os.environ.get("BROKEN") == self.provider:
            raise RuntimeError("out of order")

    def try_run(self, stack):
        said = f"{self.title}:{self.model} at {self.base_url}"
        return Message("assistant", (TextMessageContent(said),))

    def try_stream(self, stack):
        yield DeltaMessage(TextDeltaMessageContent(self.try_run(stack).to_text()))

@dataclass(kw_only=True, eq=False)
class Free(Speaker):
    provider = "free"
    key_env = None

@hookimpl
def agenthost_prompt_drivers():
    return {"speaker": Speaker, "free": Free}
"""

URL = "http://127.0.0.1:1/v1"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    return CommandLine.with_plugins(tmp_path_factory.mktemp("speakers"), {"speakers": SPEAKERS})


@pytest.fixture
def line(shared: CommandLine) -> Iterator[CommandLine]:
    with shared.lent() as line:
        yield line


def test_the_model_and_why_it_is_that_one_stand_on_standard_error(line: CommandLine) -> None:
    keyed = line("run", "Hi", SPEAKER_API_KEY="k" * 20)
    free = line("run", "Hi")
    named = line("run", "-m", "speaker:quiet", "Hi")
    by_variable = line("run", "Hi", AGENTHOST_MODEL="speaker:quiet")

    assert "· model speaker:loud (SPEAKER_API_KEY is set)\n" in keyed.err
    assert "· model free:loud (no key is set)\n" in free.err
    assert "· model speaker:quiet\n" in named.err
    assert "· model speaker:quiet (set as model in AGENTHOST_MODEL)\n" in by_variable.err
    assert free.out == "free:loud at None\n"
    assert named.out == by_variable.out == "speaker:quiet at None\n"


def test_a_broken_plugin_is_passed_over_and_named_once(line: CommandLine) -> None:
    ran = line("run", "Hi", SPEAKER_API_KEY="k" * 20, BROKEN="speaker")

    assert (ran.code, ran.out) == (0, "free:loud at None\n")
    assert "The driver 'speaker' is passed over. Plugin speakers (agenthost-plugin-" in ran.err
    assert ran.err.count("out of order") == 1
    assert "· model free:loud (no other can be used)\n" in ran.err


def test_a_broken_plugin_that_was_asked_for_ends_the_run(line: CommandLine) -> None:
    ran = line("run", "-m", "speaker", "Hi", BROKEN="speaker")

    assert (ran.code, ran.out) == (3, "")
    assert "Plugin speakers" in ran.err


def test_the_address_of_the_server_may_be_given(line: CommandLine) -> None:
    ran = line("run", "-m", "speaker:quiet", "--base-url", URL, "Hi")

    assert ran.out == f"speaker:quiet at {URL}\n"


@pytest.mark.parametrize("empty", ["", " "])
def test_an_empty_address_does_not_stand_for_the_provider(line: CommandLine, empty: str) -> None:
    refused = line("run", "-m", "speaker:quiet", "--base-url", empty, "Hi")

    assert (refused.code, refused.out) == (2, "")
    assert "--base-url is empty. Write it as http://HOST:PORT/v1." in refused.err


@pytest.mark.parametrize("arguments", [("-m", "local:smollm2"), ("-m", "local")])
def test_an_address_for_a_driver_that_asks_no_server_is_a_matter_of_usage(
    line: CommandLine, arguments: tuple[str, ...]
) -> None:
    refused = line("run", *arguments, "--base-url", URL, "Hi")

    assert (refused.code, refused.out) == (2, "")
    assert "--base-url: LocalPromptDriver asks no server" in refused.err
    assert "-m openai:MODEL" in refused.err


def test_a_server_of_the_settings_runs_under_its_name(
    agenthost: CommandLine, line: CommandLine
) -> None:
    mine = CommandLine(agenthost.home, line.site)
    for key, value in {
        "drivers.groq.driver": "speaker",
        "drivers.groq.base_url": URL,
        "drivers.groq.model": "llama",
        "model": "groq:qwen",
    }.items():
        assert mine("config", "set", key, value).err == ""

    by_settings = mine("run", "Hi")
    by_name = mine("run", "-m", "groq", "--json", "Hi")

    assert by_settings.out == f"groq:qwen at {URL}\n"
    assert by_name.json["data"]["model"] == "groq:llama"
    file = mine.home / "agenthost.toml"
    assert f"· model groq:qwen (set as model in {file})\n" in by_settings.err


def test_a_server_whose_driver_is_misspelt_is_told_when_it_is_set_and_when_it_runs(
    agenthost: CommandLine, line: CommandLine
) -> None:
    mine = CommandLine(agenthost.home, line.site)

    told = mine("config", "set", "drivers.groq.driver", "speakr")
    ran = mine("run", "-m", "groq:llama", "Hi")

    assert "No driver named 'speakr'. Did you mean 'speaker'?" in told.err
    assert ran.code == 4
    assert "No driver named 'speakr'. Did you mean 'speaker'?" in ran.err
    assert "[drivers.groq] in" in ran.err


def test_a_compatible_server_is_asked_at_its_address_and_named_in_errors(
    agenthost: CommandLine,
) -> None:
    refusal = {"status": 401, "error": {"type": "invalid_request_error", "message": "No entry."}}
    with ProviderServer([{"text": "Hello."}, refusal]) as server:
        (agenthost.home / "agenthost.toml").write_text(
            f'[drivers.mine]\ndriver = "openai"\nbase_url = "{server.openai_url}"\n'
            'model = "m"\nkey_env = "MY_SERVER_KEY"\n'
        )
        asked = agenthost(
            "run", "-m", "openai:m", "--base-url", server.openai_url, "--no-stream", "Hi"
        )
        refused = agenthost("run", "-m", "mine", "Hi", MY_SERVER_KEY="key-of-my-server")

    assert asked.out == "Hello.\n"
    assert "mine:m: " in refused.err
    assert "No entry." in refused.err
    assert "key-of-my-server" not in refused.err + refused.out
    assert server.headers[1]["authorization"] == "Bearer key-of-my-server"


@pytest.mark.parametrize("how", ["--stream", "--no-stream", "--json"])
def test_a_key_that_the_model_says_is_not_shown(agenthost: CommandLine, how: str) -> None:
    key = "sk-said-by-the-model"
    with ProviderServer([{"text": f"It is {key}, sk-no more."}], piece=1) as server:
        ran = agenthost(
            "run", "-m", "openai:m", "--base-url", server.openai_url, how, "Hi", OPENAI_API_KEY=key
        )

    assert "It is [redacted], sk-no more." in ran.out
    assert key not in ran.out + ran.err


def test_a_name_that_may_be_a_compatible_servers_is_answered_with_how_to_give_it(
    agenthost: CommandLine,
) -> None:
    new = agenthost("run", "-m", "groq:llama", "Hi")
    mistyped = agenthost("run", "-m", "opnai:m", "Hi")

    how = f"gets that name by [drivers.groq] in {agenthost.home / 'agenthost.toml'}"
    assert (new.code, mistyped.code) == (4, 4)
    assert how in new.err
    assert "Did you mean 'openai'?" in mistyped.err
    assert "compatible server" not in mistyped.err


def test_an_address_without_a_driver_is_asked_for_one_where_none_would_run(
    agenthost: CommandLine,
) -> None:
    agenthost("plugins", "disable", "local")

    refused = agenthost("run", "--base-url", URL, "Hi")

    assert refused.code == 2
    assert "Name one, such as -m openai:MODEL." in refused.err


def test_that_a_model_is_asked_again_is_said_and_its_whole_reply_begins_on_a_line_of_its_own(
    agenthost: CommandLine,
) -> None:
    (agenthost.home / "agenthost.toml").write_text("[drivers.openai]\nmin_retry_delay = 0.0\n")
    lost = {"text": "Hello there, I was about to say", "cut_after": 900}
    with ProviderServer([lost, {"text": "Hello."}]) as server:
        ran = agenthost("run", "-m", "openai:m", "--base-url", server.openai_url, "--stream", "Hi")

    void, *whole = ran.out.splitlines()
    assert (void[:5], whole) == ("Hello", ["Hello."])
    assert "· asked again: The reply broke off." in ran.err


def test_a_run_ends_when_nobody_reads_its_answer_any_more(agenthost: CommandLine) -> None:
    rest = threading.Event()
    reply = {"text": "word " * 10_000, "hold": rest, "hold_after": 1_000}
    with ProviderServer([reply]) as server:
        process = subprocess.Popen(
            [sys.executable, "-m", "agenthost", "run", "-m", "openai:m", "--stream", "Hi"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=agenthost.variables({"OPENAI_BASE_URL": server.openai_url}),
        )
        with process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.read(1)
            process.stdout.close()
            rest.set()
            told = process.stderr.read().decode()

    assert process.returncode == 1
    assert told == "· model openai:m\n"
