"""The guide's driver works as it stands, against a provider on loopback."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from agenthost import PromptTask
from agenthost_sdk import BasePromptDriver, BaseTool, activity
from agenthost_sdk.errors import DriverAuthenticationError, NoDriverError
from support.readme import ROOT, blocks

PAGE = ROOT / "docs" / "kinds" / "prompt-drivers.md"

CALLS = [
    {"id": "c1", "tool": "Stock_count", "input": {"sku": "AB-1200"}},
    {"id": "c2", "tool": "Stock_count", "input": {}},
]


class Stock(BaseTool):
    """Look up stock."""

    @activity(read_only=True)
    def count(self, sku: str) -> int:
        """Count the units on hand."""
        return 7


class Quill(ThreadingHTTPServer):
    """The guide's provider: it calls a tool twice, once wrongly, and then answers."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[dict[str, Any]] = []
        self.refusals: list[int] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: Quill

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(asked)
        if self.server.refusals:
            refused = {"error": {"message": "Not now."}}
            self.answer(self.server.refusals.pop(0), json.dumps(refused))
        elif asked["turns"][-1]["who"] == "user":
            self.reply(asked, "", CALLS)
        else:
            self.reply(asked, "7 are left.", [])

    def reply(self, asked: dict[str, Any], text: str, calls: list[dict[str, Any]]) -> None:
        tokens = [5, 3]
        if not asked["stream"]:
            self.answer(200, json.dumps({"text": text, "calls": calls, "tokens": tokens}))
            return
        pieces: list[dict[str, Any]] = [{"text": one} for one in text]
        for number, call in enumerate(calls):
            named = {"number": number, "id": call["id"], "tool": call["tool"]}
            inputs = [{"number": number, "input": one} for one in json.dumps(call["input"])]
            pieces += [{"call": one} for one in (named, *inputs)]
        self.answer(200, "".join(f"{json.dumps(one)}\n" for one in (*pieces, {"tokens": tokens})))

    def answer(self, status: int, body: str) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def quill() -> Iterator[Quill]:
    server = Quill()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def driver_class() -> type[BasePromptDriver]:
    [block] = [one for one in blocks(PAGE) if one.file.startswith("src/")]
    namespace: dict[str, Any] = {"__name__": __name__}
    exec(compile(block.code, block.file, "exec"), namespace)
    found: type[BasePromptDriver] = namespace["QuillPromptDriver"]
    return found


@pytest.mark.parametrize("stream", [False, True])
def test_a_run_on_the_guides_driver_calls_tools_and_ends_with_the_answer(
    quill: Quill, driver_class: Any, stream: bool
) -> None:
    driver = driver_class(base_url=quill.url, api_key="a-key-of-quill", stream=stream)

    run = PromptTask("How many?", tools=[Stock()], prompt_driver=driver).run()

    assert (run.value, run.usage.total_tokens) == ("7 are left.", 16)
    assert [(turn["who"], turn.get("call")) for turn in quill.asked[1]["turns"]] == [
        ("user", None),
        ("assistant", "c1"),
        ("assistant", "c2"),
        ("tool", "c1"),
        ("tool", "c2"),
    ]
    assert [turn["failed"] for turn in quill.asked[1]["turns"][3:]] == [False, True]


def test_the_guides_driver_asks_again_after_what_may_pass_and_not_after_the_rest(
    quill: Quill, driver_class: Any
) -> None:
    driver = driver_class(base_url=quill.url, api_key="a-key-of-quill", min_retry_delay=0.0)
    quill.refusals = [429, 401]

    with pytest.raises(DriverAuthenticationError, match=r"quill:feather-1: Not now\."):
        driver.run("Hello?")

    assert len(quill.asked) == 2


def test_the_guides_driver_says_where_its_key_goes(
    monkeypatch: pytest.MonkeyPatch, driver_class: Any
) -> None:
    monkeypatch.delenv("QUILL_API_KEY", raising=False)

    with pytest.raises(NoDriverError, match="Put it in QUILL_API_KEY"):
        driver_class().run("Hello?")
