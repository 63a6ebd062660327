"""Which server is asked, with which key, and what it and the model take."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from agenthost_plugin_openai import OpenAiChatPromptDriver, OpenAiEmbeddingDriver
from agenthost_plugin_openai.endpoints import NO_KEY
from agenthost_plugin_openai.profiles import PROFILES, UNKNOWN, at, named
from agenthost_sdk.actions import ToolSpec
from agenthost_sdk.errors import DriverError, NoDriverError, NotFoundError
from agenthost_sdk.messages import PromptStack
from support.provider_server import ProviderServer

KEY = "sk-test-0123456789abcdef"

TOOL = ToolSpec("F", "F", None, "Do it.", {"type": "object", "properties": {}})


@pytest.mark.parametrize("name", [name for name, one in PROFILES.items() if one.base_url])
def test_a_server_is_known_by_its_own_address(name: str) -> None:
    profile = PROFILES[name]

    found = at(profile.base_url)

    assert found is (profile if profile.hosts or profile.port else UNKNOWN)


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://eu.api.openai.com/v1", "openai"),
        ("https://work.openai.azure.com/openai/v1", "azure"),
        ("https://API.GROQ.COM/openai/v1", "groq"),
        ("https://ollama.com/v1", "ollama"),
        ("http://localhost:11434/v1", "ollama"),
        ("http://[::1]:1234/v1", "lmstudio"),
        ("http://gpu-box:11434/v1", ""),
        ("http://127.0.0.1:8080/v1", ""),
        ("https://groq.com.example.org/v1", ""),
        ("https://notgroq.com/v1", ""),
        ("no address", ""),
        ("http://[::1/v1", ""),
    ],
)
def test_an_address_tells_the_server_only_where_it_is_its_own(url: str, name: str) -> None:
    assert at(url).name == name


@pytest.mark.parametrize("asked", ["groq", "Groq", "llama.cpp", "llama_cpp", "LM Studio"])
def test_profiles_are_named_as_one_writes_them(asked: str) -> None:
    assert named(asked).name in PROFILES


def test_a_profile_that_nobody_knows_is_told_with_its_nearest_names() -> None:
    with pytest.raises(NotFoundError, match=r"'grok'.*Did you mean .*groq.*vllm"):
        OpenAiChatPromptDriver(profile="grok")


def test_a_named_profile_gives_address_and_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("GROQ_API_KEY", "gsk-0123456789")

    endpoint = OpenAiChatPromptDriver(profile="groq").endpoint(None, "", "")

    assert endpoint.url == "https://api.groq.com/openai/v1"
    assert (endpoint.key, endpoint.key_name) == ("gsk-0123456789", "GROQ_API_KEY")


@pytest.mark.parametrize("name", [name for name, one in PROFILES.items() if name != "openai"])
def test_the_key_of_openai_goes_to_no_other_known_server(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    profile = PROFILES[name]
    url = profile.base_url or f"https://work.{profile.hosts[0]}/v1"
    driver = OpenAiChatPromptDriver(base_url=url, profile=name)

    if not profile.hosts or urlsplit(url).hostname == "127.0.0.1":
        assert driver.endpoint(None, "", "").key == NO_KEY
        return
    with pytest.raises(NoDriverError, match=rf"{profile.key_name}.*OPENAI_API_KEY is set, but"):
        driver.endpoint(None, "", "")


def test_a_server_that_nobody_knows_is_sent_the_key_that_is_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("WORK_KEY", "work-0123456789")
    driver = OpenAiChatPromptDriver(base_url="https://gateway.example.org/v1")

    assert driver.endpoint(None, "", "").key == KEY
    assert driver.endpoint("WORK_KEY", "", "").key == "work-0123456789"


def test_a_profile_without_an_address_of_its_own_asks_for_one() -> None:
    with pytest.raises(DriverError, match=r"azure.*base_url"):
        OpenAiChatPromptDriver(profile="azure", api_key=KEY).run("Hello?")


def test_who_pays_is_told_to_openai_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-the-environment")
    with ProviderServer([{"text": "Hello."}], repeat=True) as server:
        driver = OpenAiChatPromptDriver(base_url=server.openai_url)
        driver.run("Hello?")
        replace(driver, organization="org-1", project="proj-1").run("Hello?")
        replace(driver, profile="openai", api_key=KEY).run("Hello?")

    told = [(one.get("openai-organization"), one.get("openai-project")) for one in server.headers]
    assert told == [(None, None), ("org-1", "proj-1"), ("org-of-the-environment", None)]


def test_a_key_that_was_changed_in_the_environment_is_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with ProviderServer([{"text": "Hello."}], repeat=True) as server:
        driver = OpenAiChatPromptDriver(base_url=server.openai_url)
        for key in ("first-0123456789", "second-0123456789"):
            monkeypatch.setenv("OPENAI_API_KEY", key)
            driver.run("Hello?")

    assert [one["authorization"] for one in server.headers] == [
        "Bearer first-0123456789",
        "Bearer second-0123456789",
    ]


def test_a_request_says_that_its_body_is_json() -> None:
    with ProviderServer([{"text": "Hello."}]) as server:
        OpenAiChatPromptDriver(base_url=server.openai_url).run("Hello?")

    assert server.headers[0]["content-type"] == "application/json"


@pytest.mark.parametrize(
    ("fields", "strategy"),
    [
        ({"api_key": KEY}, "native"),
        ({"base_url": "http://127.0.0.1:8080/v1"}, "native"),
        ({"profile": "groq"}, "tool"),
        ({"profile": "deepseek"}, "tool"),
        ({"profile": "openai", "model": "gpt-4"}, "tool"),
        ({"profile": "openai", "model": "gpt-4.1"}, "native"),
        ({"profile": "openai", "model": "gpt-4o"}, "native"),
        ({"base_url": "http://127.0.0.1:8080/v1", "model": "gpt-4"}, "native"),
        ({"profile": "groq", "structured_output_strategy": "native"}, "native"),
        ({"profile": "openai", "structured_output_strategy": "rule"}, "rule"),
    ],
)
def test_structured_output_is_had_in_the_way_that_fits_the_server_and_the_model(
    fields: dict[str, Any], strategy: str
) -> None:
    assert OpenAiChatPromptDriver(**fields).structured_output_strategy == strategy


@pytest.mark.parametrize(
    ("fields", "named_one"),
    [
        ({"profile": "deepseek", "model": "deepseek-chat"}, "deepseek"),
        ({"profile": "openai", "model": "gpt-4-turbo"}, "gpt-4-turbo"),
    ],
)
def test_a_schema_that_server_or_model_does_not_take_is_refused_with_what_to_choose(
    fields: dict[str, Any], named_one: str
) -> None:
    driver = OpenAiChatPromptDriver(
        **fields, api_key=KEY, structured_output_strategy="native", base_url="http://127.0.0.1:9"
    )
    stack = PromptStack.from_artifact("Hello?")
    stack.output_schema = {"type": "object"}

    with pytest.raises(DriverError, match=rf'{named_one} takes no JSON Schema.*"tool" or "rule"'):
        driver.run(stack)


def test_tools_that_the_model_does_not_take_are_refused_with_what_to_choose() -> None:
    driver = OpenAiChatPromptDriver(model="o1-mini", profile="openai", api_key=KEY)
    stack = PromptStack.from_artifact("Hello?")
    stack.tools = (TOOL,)

    with pytest.raises(DriverError, match=r"o1-mini takes no tools.*use_native_tools"):
        driver.run(stack)


@pytest.fixture
def folder_of_tokens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in which tiktoken would look for its data."""
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    return tmp_path


def test_tokens_are_estimated_where_nothing_can_count_them(folder_of_tokens: Path) -> None:
    messages = PromptStack.from_artifact("Hello? " * 40).messages

    for driver in (
        OpenAiChatPromptDriver(model="gpt-4.1", api_key=KEY),
        OpenAiChatPromptDriver(profile="groq", api_key=KEY),
    ):
        assert driver.count_tokens(messages) == 280 // 4 + 4
    assert list(folder_of_tokens.iterdir()) == []


def test_the_drivers_tell_which_profiles_there_are() -> None:
    assert set(OpenAiChatPromptDriver.profiles) == set(PROFILES)
    assert set(OpenAiEmbeddingDriver.profiles) == set(PROFILES)
