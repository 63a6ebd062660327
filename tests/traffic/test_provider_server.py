"""The provider of the tests answers the official packages as the real ones do."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import anthropic
import openai
import pytest

from support.other_requests import vector
from support.provider_server import ProviderServer
from traffic.samples import CALLS, SERVER_BLOCKS

Json = dict[str, Any]

ASKED: Json = {"model": "m", "messages": [{"role": "user", "content": "?"}]}
LIMITED = ASKED | {"max_tokens": 9}
REFUSED = ASKED | {"tool_choice": "auto"}


@pytest.fixture
def openai_of() -> Iterator[Any]:
    """Return what makes clients of OpenAI's; they are closed afterwards."""
    made: list[openai.OpenAI] = []

    def make(server: ProviderServer) -> openai.OpenAI:
        made.append(openai.OpenAI(base_url=server.openai_url, api_key="key", max_retries=0))
        return made[-1]

    yield make
    for client in made:
        client.close()


@pytest.fixture
def anthropic_of() -> Iterator[Any]:
    """Return what makes clients of Anthropic's; they are closed afterwards."""
    made: list[anthropic.Anthropic] = []

    def make(server: ProviderServer) -> anthropic.Anthropic:
        url = server.anthropic_url
        made.append(anthropic.Anthropic(base_url=url, api_key="key", max_retries=0))
        return made[-1]

    yield make
    for client in made:
        client.close()


@pytest.mark.parametrize("piece", [0, 1, 7])
def test_a_streamed_message_is_the_same_as_a_whole_one(anthropic_of: Any, piece: int) -> None:
    reply = {
        "thinking": "Which city?",
        "blocks": [*SERVER_BLOCKS, {"type": "redacted_thinking", "data": "aGlk"}],
        "text": "I look, says Åse.",
        "tool_calls": CALLS,
        "usage": {"input_tokens": 9, "output_tokens": 5, "cache_read_input_tokens": 4},
    }
    with ProviderServer([reply, reply], piece=piece) as server:
        client = anthropic_of(server)
        whole = client.messages.create(**LIMITED)
        with client.messages.stream(**LIMITED) as stream:
            streamed = stream.get_final_message()

    assert streamed.to_dict()["content"] == whole.to_dict()["content"]
    assert streamed.usage == whole.usage
    assert streamed.stop_reason == whole.stop_reason == "tool_use"


@pytest.mark.parametrize("piece", [0, 1, 7])
def test_a_streamed_completion_is_the_same_as_a_whole_one(openai_of: Any, piece: int) -> None:
    reply = {"text": "I look, says Åse.", "tool_calls": CALLS, "thinking": "Which city?"}
    with ProviderServer([reply, reply], piece=piece) as server:
        client = openai_of(server)
        whole = client.chat.completions.create(**ASKED)
        options = {"stream_options": {"include_usage": True}}
        with client.chat.completions.stream(**ASKED, **options) as stream:
            streamed = stream.until_done().get_final_completion()

    said, told = whole.choices[0], streamed.choices[0]
    assert told.message.content == said.message.content
    assert [call.function.arguments for call in told.message.tool_calls] == [
        call.function.arguments for call in said.message.tool_calls
    ]
    assert told.finish_reason == said.finish_reason == "tool_calls"
    assert streamed.usage == whole.usage


def test_an_error_bears_its_status_its_headers_and_a_name(openai_of: Any) -> None:
    limited = {"type": "rate_limit_error", "message": "Slow down."}
    reply = {"status": 429, "error": limited, "headers": {"Retry-After": "3"}}
    with ProviderServer([reply]) as server, pytest.raises(openai.RateLimitError) as caught:
        openai_of(server).chat.completions.create(**ASKED)

    assert caught.value.response.headers["retry-after"] == "3"
    assert caught.value.request_id == "req_1"
    assert caught.value.body == limited


def test_an_error_of_the_messages_api_has_its_form(anthropic_of: Any) -> None:
    error = {"type": "overloaded_error", "message": "Overloaded."}
    with (
        ProviderServer([{"status": 529, "error": error}]) as server,
        pytest.raises(anthropic.APIStatusError) as caught,
    ):
        anthropic_of(server).messages.create(**LIMITED)

    assert caught.value.body == {"type": "error", "error": error, "request_id": "req_1"}
    assert caught.value.request_id == "req_1"


def test_an_error_comes_in_mid_stream(anthropic_of: Any) -> None:
    error = {"type": "overloaded_error", "message": "Overloaded."}
    reply = {"text": "Twelve and", "ends_after": 4, "stream_error": error}
    read: list[str] = []
    with ProviderServer([reply]) as server:
        stream = anthropic_of(server).messages.create(**LIMITED, stream=True)
        with pytest.raises(anthropic.APIStatusError):
            read.extend(event.type for event in stream)

    assert read == ["message_start", "content_block_start", "content_block_delta"]


def test_a_stream_just_stops(openai_of: Any) -> None:
    with ProviderServer([{"text": "Twelve and", "ends_after": 2}]) as server:
        chunks = list(openai_of(server).chat.completions.create(**ASKED, stream=True))

    assert [chunk.choices[0].delta.content for chunk in chunks] == ["", "Twelv"]


def test_a_connection_drops_at_any_byte(openai_of: Any) -> None:
    with ProviderServer([{"text": "Twelve", "cut_after": 50}]) as server:
        client = openai_of(server)
        with pytest.raises(openai.APIConnectionError):
            client.chat.completions.create(**ASKED)


def test_an_answer_waits_until_it_is_told_to_go_on(openai_of: Any) -> None:
    hold = threading.Event()
    with ProviderServer([{"text": "Now.", "hold": hold}]) as server, ThreadPoolExecutor() as pool:
        asked = pool.submit(openai_of(server).chat.completions.create, **ASKED)
        server.wait_for(1)
        was_done = asked.done()
        hold.set()

        assert asked.result().choices[0].message.content == "Now."
    assert not was_done


def test_a_stream_waits_in_the_middle(openai_of: Any) -> None:
    hold = threading.Event()
    reply = {"text": "Twelve", "hold": hold, "hold_after": 300}
    with ProviderServer([reply]) as server:
        stream = openai_of(server).chat.completions.create(**ASKED, stream=True)
        first = next(stream)
        hold.set()
        rest = [chunk.choices[0].delta.content for chunk in stream]

    assert first.choices[0].delta.content == ""
    assert rest == ["Twelv", "e", None]


def test_a_server_that_closes_lets_go_what_waits() -> None:
    hold = threading.Event()

    with ProviderServer([{"text": "Never.", "hold": hold}]):
        pass

    assert hold.is_set()


def test_a_refused_request_fails_the_test_that_sent_it(openai_of: Any) -> None:
    server = ProviderServer([{"text": "Hello."}]).__enter__()
    with pytest.raises(openai.BadRequestError):
        openai_of(server).chat.completions.create(**REFUSED)

    with pytest.raises(AssertionError, match="tool_choice without tools"):
        server.__exit__()


def test_a_refusal_is_noted_on_what_the_test_failed_for(openai_of: Any) -> None:
    with (
        pytest.raises(openai.BadRequestError) as caught,
        ProviderServer([{"text": "Hello."}]) as server,
    ):
        openai_of(server).chat.completions.create(**REFUSED)

    assert "tool_choice without tools" in caught.value.__notes__[0]


def test_a_server_that_may_refuse_does_so_and_goes_on(openai_of: Any) -> None:
    with ProviderServer([{"text": "Hello."}], may_refuse=True) as server:
        client = openai_of(server)
        with pytest.raises(openai.BadRequestError, match="tool_choice without tools"):
            client.chat.completions.create(**REFUSED)

        assert client.chat.completions.create(**ASKED).choices[0].message.content == "Hello."


def test_a_list_that_repeats_has_no_end(openai_of: Any) -> None:
    with ProviderServer([{"text": "a"}, {"text": "b"}], repeat=True) as server:
        client = openai_of(server)
        said = [client.chat.completions.create(**ASKED) for _ in range(3)]

    assert [one.choices[0].message.content for one in said] == ["a", "b", "a"]


def test_a_list_that_ends_is_an_error(openai_of: Any) -> None:
    with ProviderServer() as server, pytest.raises(openai.InternalServerError, match="no reply"):
        openai_of(server).chat.completions.create(**ASKED)


def test_tokens_are_counted_without_taking_a_reply(anthropic_of: Any) -> None:
    with ProviderServer([{"text": "Hello."}]) as server:
        client = anthropic_of(server)
        counted = client.messages.count_tokens(**ASKED)

        assert client.messages.create(**LIMITED).content[0].text == "Hello."
    assert counted.input_tokens > 0
    assert server.counted == [ASKED]


@pytest.mark.parametrize("form", ["float", "base64"])
def test_each_text_has_its_vector_in_either_form(openai_of: Any, form: str) -> None:
    with ProviderServer() as server:
        made = openai_of(server).embeddings.create(
            model="m", input=["a", "b", "a"], encoding_format=form, dimensions=4
        )
    found = [one.embedding for one in made.data]

    assert len(server.embedded) == 1
    if form == "float":
        assert found == [vector("a", 4), vector("b", 4), vector("a", 4)]
    else:
        assert found[0] == found[2] != found[1]


def test_an_error_of_the_list_comes_whatever_is_asked(openai_of: Any) -> None:
    replies = [{"status": 503, "error": {"message": "Down."}}]
    with ProviderServer(replies) as server:
        client = openai_of(server)
        with pytest.raises(openai.InternalServerError, match="Down"):
            client.embeddings.create(model="m", input="a")

        assert client.embeddings.create(model="m", input="a").data


def test_models_are_listed_for_each_provider(openai_of: Any, anthropic_of: Any) -> None:
    with ProviderServer() as server:
        server.models = ["one", "two"]

        assert [model.id for model in openai_of(server).models.list()] == ["one", "two"]
        assert [model.id for model in anthropic_of(server).models.list()] == ["one", "two"]


def test_an_address_where_nothing_is_says_so(openai_of: Any) -> None:
    with ProviderServer() as server, pytest.raises(openai.NotFoundError, match="/v1/images"):
        openai_of(server).images.generate(prompt="A boat.")
