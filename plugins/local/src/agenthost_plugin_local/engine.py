"""Run a GGUF file in this process with llama.cpp: complete, chat and embed, one model once."""

from __future__ import annotations

import atexit
import os
import queue
import shutil
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agenthost_sdk.errors import DriverError
from agenthost_sdk.messages import Usage

#: Tokens that a prompt and its reply may take together.
CONTEXT = 4096

Request = Mapping[str, Any]


@dataclass(frozen=True)
class Piece:
    """A piece of a reply, and in the last one how it ended."""

    text: str = ""
    usage: Usage | None = None
    finish: str | None = None


@dataclass
class Engine:
    """A loaded model. It serves many threads; requests queue up inside llama.cpp."""

    path: Path
    _server: Any  # xllamacpp.Server, which has no stubs

    def complete(self, prompt: str, **request: Any) -> Iterator[Piece]:
        """Yield the continuation of a prompt."""
        call = self._server.handle_completions
        return _pieces(call, {**_DEFAULTS, "prompt": prompt, **request})

    def chat(self, messages: Sequence[Mapping[str, str]], **request: Any) -> Iterator[Piece]:
        """Yield the reply to a conversation in the model's own chat template."""
        call = self._server.handle_chat_completions
        return _pieces(call, {**_DEFAULTS, "messages": list(messages), **request})

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a vector of length one for each text."""
        if not texts:
            return []
        reply = self._server.handle_embeddings({"input": list(texts)})
        if "data" not in reply:
            raise DriverError(_fault(reply), provider="local", model=self.path.name)
        found = sorted(reply["data"], key=lambda item: item["index"])
        return [item["embedding"] for item in found]


#: What every request has; a request may say otherwise.
_DEFAULTS: dict[str, Any] = {
    "stream": True,
    "stream_options": {"include_usage": True},
    "temperature": 0.0,
    "cache_prompt": True,
}


def load(path: Path, *, threads: int = 1, slots: int = 1, embedding: bool = False) -> Engine:
    """Return the engine for a file; it is loaded once in a process and freed at its end.

    Args:
        path: The GGUF file.
        threads: How many threads compute.
        slots: How many conversations keep what was read of them, each at its own memory.
        embedding: Load it to embed, not to write.

    Raises:
        DriverError: The file is no model that llama.cpp can read, or llama.cpp is missing.
    """
    with _LOCK:
        key = (path.resolve(), threads, slots, embedding)
        if key not in _LOADED:
            _LOADED[key] = Engine(path, _serve(*key))
        return _LOADED[key]


_LOCK = threading.Lock()
_LOADED: dict[tuple[Path, int, int, bool], Engine] = {}


def _serve(path: Path, threads: int, slots: int, embedding: bool) -> Any:
    llama = _llama()
    if not path.is_file():
        raise DriverError(f"There is no model file {path}.", provider="local")
    params = _params(llama, path, threads, slots, embedding)
    loading: Future[Any] = Future()
    # llama.cpp waits for threads of its own while it loads, and an interrupt that arrives then in
    # the same thread would leave it waiting for ever.
    work = threading.Thread(target=_settle, args=(loading, llama.Server, params), daemon=True)
    work.start()
    try:
        return loading.result()
    except Exception as error:
        raise DriverError(
            f"llama.cpp cannot load {path}. It must be a whole GGUF file that fits in memory.",
            provider="local",
        ) from error


def _settle(loading: Future[Any], make: Any, params: Any) -> None:
    try:
        loading.set_result(make(params))
    except Exception as error:
        loading.set_exception(error)


def _llama() -> Any:
    try:
        # Heavy, and without a wheel on some platforms.
        import xllamacpp  # type: ignore[import-untyped]
    except ImportError as error:
        raise DriverError(
            "The local model needs the package xllamacpp, and it cannot be imported here"
            f" ({error}). Install it with: pip install xllamacpp",
            provider="local",
        ) from error
    return xllamacpp


def _params(llama: Any, path: Path, threads: int, slots: int, embedding: bool) -> Any:
    params = llama.CommonParams()
    params.model.path = str(path)
    params.n_ctx = 512 if embedding else CONTEXT * slots
    params.n_parallel = slots
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.n_threads_http = 1
    params.warmup = False
    params.cache_ram_mib = 0
    params.verbosity = -1
    if embedding:
        params.embedding = True
        params.pooling_type = llama.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
    params.hostnames = [_private_address()]
    return params


def _private_address() -> str:
    """Return a socket file that only this user can reach, so that no port is opened.

    Windows has no such files for llama.cpp; there it is a free port of the loopback address.
    """
    if os.name == "nt":
        return "127.0.0.1"
    folder = tempfile.mkdtemp(prefix="agenthost-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return str(Path(folder) / "llama.sock")


@dataclass
class _Wire:
    """Carries pieces from llama.cpp's thread to the reader, and the wish to stop back."""

    arrived: queue.SimpleQueue[Mapping[str, Any] | None] = field(default_factory=queue.SimpleQueue)
    stopped: bool = False

    def take(self, chunk: Any) -> bool:
        """Take a chunk; return whether llama.cpp is to stop."""
        self.arrived.put(chunk)
        return self.stopped


def _pieces(call: Any, request: Request) -> Iterator[Piece]:
    """Yield the pieces of a reply; closing the iterator stops the model.

    The call runs in a thread of its own, so that an interrupt at the terminal is not held up.
    """
    wire = _Wire()

    def run() -> None:
        try:
            call(dict(request), wire.take)
        except Exception as error:
            wire.arrived.put({"error": {"message": str(error)}})
        finally:
            wire.arrived.put(None)

    thread = threading.Thread(target=run, daemon=True, name="agenthost-local")
    thread.start()
    try:
        while (chunk := wire.arrived.get()) is not None:
            yield _piece(chunk)
    finally:
        wire.stopped = True
        with suppress(KeyboardInterrupt):
            thread.join()


def _piece(chunk: Mapping[str, Any]) -> Piece:
    if "error" in chunk:
        raise DriverError(_fault(chunk), provider="local")
    choice = chunk["choices"][0] if chunk.get("choices") else {}
    text = choice.get("text") or choice.get("delta", {}).get("content") or ""
    return Piece(text, _usage(chunk.get("usage")), choice.get("finish_reason"))


def _fault(reply: Mapping[str, Any]) -> str:
    error = reply.get("error", {})
    if error.get("type") == "exceed_context_size_error":
        return (
            f"The conversation has {error.get('n_prompt_tokens')} tokens; the local model takes"
            f" {error.get('n_ctx')}. Shorten it, or use a model of a provider."
        )
    return str(error.get("message") or reply)


def _usage(counted: Mapping[str, Any] | None) -> Usage | None:
    if not counted:
        return None
    cached = (counted.get("prompt_tokens_details") or {}).get("cached_tokens")
    return Usage(counted.get("prompt_tokens"), counted.get("completion_tokens"), cached)
