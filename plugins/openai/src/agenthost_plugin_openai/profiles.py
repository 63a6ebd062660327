"""What the servers that speak chat completions have of their own, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from agenthost_sdk.addresses import is_below
from agenthost_sdk.drivers import StructuredOutputStrategy
from agenthost_sdk.errors import NotFoundError

#: How a document travels: as the part of that kind, or only in words.
Documents = Literal["file", "document_url", "words"]

#: Stop sequences that OpenAI takes in one request.
MOST_STOPS = 4


@dataclass(frozen=True)
class Profile:
    """How one server differs from the others.

    The defaults are what a server that nobody knows is taken to do.
    """

    #: What the driver's field `profile` calls it.
    name: str = ""
    #: Where it is asked when no address is given; "" where each customer has an own one.
    base_url: str = ""
    #: The hosts that are its own, each with all below it. Only such a one insists on a key.
    hosts: tuple[str, ...] = ()
    #: The port by which it is known on this machine.
    port: int | None = None
    #: The variable that holds its key. OpenAI's key is not sent to a server with a variable of
    #: its own.
    key_name: str = "OPENAI_API_KEY"
    #: The field that limits the tokens of a reply.
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    #: The role that rules are given in.
    system_role: Literal["system", "developer"] = "system"
    #: Whether it keeps to schemas that are marked as strict.
    strict: bool = False
    #: Whether it takes a JSON Schema for the answer (`response_format`).
    json_schema: bool = True
    #: How structured output is had where the driver's field does not say.
    output: StructuredOutputStrategy = "native"
    #: Whether a stream is to be asked for its usage (`stream_options`).
    stream_usage: bool = True
    #: The stop sequences that it takes.
    most_stops: int = MOST_STOPS
    #: How it takes documents.
    documents: Documents = "file"
    #: The fields of its replies that it wants back, the first that is there alone of those that
    #: hold thoughts; "thinking" is a part of the content.
    returns: tuple[str, ...] = ("audio",)
    #: Whether it refuses a message with calls that lacks the first of them.
    insists: bool = False
    #: The length of its ids of calls, which are then letters and digits; 0 where any will do.
    id_length: int = 0
    #: Whether the model must speak between results and the user's next words.
    speaks_after_results: bool = False


#: A server that nobody knows.
UNKNOWN = Profile()

_ALL = (
    Profile(
        "openai",
        "https://api.openai.com/v1",
        ("openai.com",),
        limit="max_completion_tokens",  # `max_tokens` is refused by its reasoning models
        strict=True,
    ),
    Profile(
        "azure",
        hosts=("openai.azure.com", "services.ai.azure.com", "cognitiveservices.azure.com"),
        key_name="AZURE_OPENAI_API_KEY",
        limit="max_completion_tokens",
        strict=True,
    ),
    Profile(
        "cerebras",
        "https://api.cerebras.ai/v1",
        ("cerebras.ai",),
        key_name="CEREBRAS_API_KEY",
        limit="max_completion_tokens",
        output="tool",  # it takes no tools beside a schema for the answer
        documents="words",
        returns=("reasoning",),
    ),
    Profile(
        "deepseek",
        "https://api.deepseek.com/v1",
        ("deepseek.com",),
        key_name="DEEPSEEK_API_KEY",
        json_schema=False,  # `json_object` only
        output="tool",
        documents="words",
        returns=("reasoning_content",),
        insists=True,  # 400 where the thoughts of a turn with calls are missing
    ),
    Profile(
        "fireworks",
        "https://api.fireworks.ai/inference/v1",
        ("fireworks.ai",),
        key_name="FIREWORKS_API_KEY",
        returns=("reasoning_content",),
    ),
    Profile(
        "gemini",
        "https://generativelanguage.googleapis.com/v1beta/openai",
        ("generativelanguage.googleapis.com",),
        key_name="GEMINI_API_KEY",
        returns=("extra_content",),  # it holds the signature of the thoughts
    ),
    Profile(
        "groq",
        "https://api.groq.com/openai/v1",
        ("groq.com",),
        key_name="GROQ_API_KEY",
        limit="max_completion_tokens",
        output="tool",  # few of its models take a schema, and none beside tools or in a stream
        documents="words",
        returns=(),
    ),
    Profile(
        "huggingface",
        "https://router.huggingface.co/v1",
        ("huggingface.co",),
        key_name="HF_TOKEN",
        returns=(),
    ),
    Profile(
        "llama.cpp",
        "http://127.0.0.1:8080/v1",
        key_name="LLAMA_API_KEY",
        documents="words",
        returns=("reasoning_content",),
    ),
    Profile(
        "lmstudio",
        "http://127.0.0.1:1234/v1",
        port=1234,
        key_name="LM_API_TOKEN",
        documents="words",
        returns=(),
    ),
    Profile(
        "mistral",
        "https://api.mistral.ai/v1",
        ("mistral.ai",),
        key_name="MISTRAL_API_KEY",
        stream_usage=False,  # it counts by itself, and refuses to be asked
        documents="document_url",
        returns=("thinking",),
        id_length=9,
        speaks_after_results=True,
    ),
    Profile(
        "ollama",
        "http://127.0.0.1:11434/v1",
        ("ollama.com",),
        port=11434,
        key_name="OLLAMA_API_KEY",
        documents="words",
        returns=("reasoning",),
    ),
    Profile(
        "openrouter",
        "https://openrouter.ai/api/v1",
        ("openrouter.ai",),
        key_name="OPENROUTER_API_KEY",
        # The annotations spare it to read a document again.
        returns=("reasoning_details", "reasoning", "annotations"),
    ),
    Profile(
        "together",
        "https://api.together.xyz/v1",
        ("together.xyz", "together.ai"),
        key_name="TOGETHER_API_KEY",
        returns=(),
    ),
    Profile(
        "vllm",
        "http://127.0.0.1:8000/v1",
        key_name="VLLM_API_KEY",
        returns=("reasoning", "reasoning_content"),
    ),
    Profile(
        "xai",
        "https://api.x.ai/v1",
        ("x.ai",),
        key_name="XAI_API_KEY",
        limit="max_completion_tokens",
        most_stops=0,  # its reasoning models refuse them
        returns=(),
    ),
    Profile(
        "zai",
        "https://api.z.ai/api/paas/v4",
        ("z.ai",),
        key_name="ZAI_API_KEY",
        json_schema=False,  # `json_object` only
        output="tool",
        most_stops=1,
        documents="words",
        returns=("reasoning_content",),
    ),
)

#: The profiles by name.
PROFILES: dict[str, Profile] = {profile.name: profile for profile in _ALL}

_LOOPBACK = frozenset(("localhost", "127.0.0.1", "::1"))


def named(name: str) -> Profile:
    """Return the profile of that name; case, blanks and hyphens make no difference.

    Raises:
        NotFoundError: No profile has that name; the words say which ones there are.
    """
    wanted = _bare(name)
    found = next((one for one in _ALL if _bare(one.name) == wanted), None)
    if found is None:
        hint = "Leave profile away to have it found by the address."
        raise NotFoundError("profile of a server", name, PROFILES, hint)
    return found


def at(url: str) -> Profile:
    """Return the profile of the server at an address; `UNKNOWN` also for what is no address."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return UNKNOWN
    if host in _LOOPBACK:
        return next((one for one in _ALL if one.port and one.port == port), UNKNOWN)
    return next((one for one in _ALL if is_below(host, one.hosts)), UNKNOWN)


def _bare(name: str) -> str:
    return "".join(sign for sign in name.casefold() if sign.isalnum())
