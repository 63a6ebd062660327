"""What an exception says reaches a model without secrets, and without the paths of code."""

from __future__ import annotations

import json
import time

import pytest

from agenthost_sdk.artifacts import ErrorArtifact, to_artifact
from agenthost_sdk.errors import InvalidInput, ToolError
from agenthost_sdk.keys import keep_secret
from agenthost_sdk.redaction import (
    MOST_CHARACTERS,
    REDACTED,
    GrowingText,
    for_model,
    is_secret_name,
    redacted,
    without_keys,
    without_secrets,
)
from agenthost_sdk.tools import failure

SECRETS = {
    "password=hunter2": "hunter2",
    "db password=hunter2 refused at /srv/secret.cfg": "hunter2",
    "password: swordfish refused": "swordfish",
    "password = 'open sesame'": "sesame",
    "PASSWORD=1234": "1234",
    "PGPASSWORD=abc": "abc",
    'dbPassword="x y"': "x y",
    '{"user": "ann", "password": "hunter two"}': "hunter two",
    "{'passwd': 'h2'}": "h2",
    "{'token': b'bytes-here'}": "bytes-here",
    "user=ann;pwd=h2;host=db": "h2",
    "token: 8f14e45fceea167a": "8f14e45fceea167a",
    "token=abcdef refused": "abcdef",
    "accessToken=qwerty": "qwerty",
    '"accessToken": "qwerty"': "qwerty",
    "api_key=K-17": "K-17",
    "api-key: 0123456789abcdef": "0123456789abcdef",
    "'apiKey' => 'zebra'": "zebra",
    "client_secret=s3": "s3",
    "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG": "K7MDENG",
    "Authorization: Bearer abc.def-123": "abc.def-123",
    "{'Authorization': 'Basic YW5uOmgy'}": "YW5uOmgy",
    "authorization=Token deadbeef": "deadbeef",
    "sent bearer 9a8b7c6d5e4f": "9a8b7c6d5e4f",
    "Set-Cookie: sid=31d4d96e407aad42; Path=/": "31d4d96e407aad42",
    "postgresql://ann:h%40t@db:5432/x": "h%40t",
    "redis://:p4ss@cache:6379": "p4ss",
    "GET https://api.example.com/v1?key=AbC123&q=x": "AbC123",
    "GET https://x.test/f?X-Amz-Signature=0a1b2c3d": "0a1b2c3d",
    "key sk-proj-0123456789abcdefghij is wrong": "sk-proj-0123456789",
    "ghp_0123456789abcdefghijABCDEFGHIJ": "ghp_",
    "AKIA0123456789ABCDEF": "AKIA",
    "xoxb-123456789012-abcdef": "xoxb",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl": "eyJhbGci",
}


@pytest.mark.parametrize(("text", "secret"), SECRETS.items(), ids=SECRETS)
def test_a_secret_is_taken_out(text: str, secret: str) -> None:
    shown = redacted(text, {})

    assert secret not in shown
    assert REDACTED in shown


@pytest.mark.parametrize(
    "text",
    [
        "the password is wrong",
        "password: must be at least 8 characters",
        "Password required",
        "password=None",
        "the password: it is missing",
        "max_tokens=5",
        "max_tokens: 4096",
        "token=12",
        "token count 12",
        "completion_tokens=17, prompt_tokens=4",
        "Unexpected token: }",
        "unexpected token: comma",
        "Unexpected token < in JSON at position 0",
        "invalid literal for int() with base 10: '2024-05-01'",
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8 not found",
        "at 2024-05-01T12:00:00+02:00",
        "basic authentication is required",
        "bearer authentication required",
        "authorization: required",
        "KeyError: 'primary_key'",
        "primary_key=17",
        "no such file: '/data/reports/may.csv'",
        "GET https://example.com/a/b.py?page=2 gave 404",
        "https://example.com:8080/path@2",
        "sk-learn is not installed",
        "eyJ is how a JWT begins",
        "the secret of success",
        "pwd: /home/data",
        "",
        "日本語のエラー: パスワード",
    ],
    ids=str,
)
def test_ordinary_words_stay_as_they_are(text: str) -> None:
    assert redacted(text, {}) == text


def test_what_stands_around_a_secret_stays() -> None:
    text = 'cannot log in to postgresql://ann:h2@db/x with {"password": "h2", "port": 5432}'

    shown = redacted(text, {})

    assert shown == (
        f"cannot log in to postgresql://ann:{REDACTED}@db/x with"
        f' {{"password": "{REDACTED}", "port": 5432}}'
    )


@pytest.mark.parametrize(
    ("name", "value", "is_secret"),
    [
        ("OPENAI_API_KEY", "plain-words-only", True),
        ("GH_TOKEN", "qwertyuiop", True),
        ("SECRET", "line one\nline two", True),
        ("DB_PASSWORD", "with space & sign", True),
        ("GH_TOKEN", "bytes that are no text \udcff", True),
        ("MY_CREDENTIALS", "abcdefgh", True),
        ("DB_PASSWORD", "short", False),
        ("KEYBOARD_LAYOUT", "qwertyuiop", False),
        ("TOKENIZERS_PARALLELISM", "disabled", False),
        ("SSH_KEY_PATH", "/etc/ssh/host", False),
        ("EDITOR", "something", False),
    ],
)
def test_the_values_of_secret_environment_variables_are_taken_out(
    name: str, value: str, is_secret: bool
) -> None:
    text = f"it said {value}, and then {value!r} and {json.dumps(value)}"

    shown = redacted(text, {name: value})

    assert (value not in shown) is is_secret
    assert (repr(value)[1:-1] not in shown) is is_secret


def test_the_environment_of_the_process_counts_where_none_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "only-plain-words")

    assert redacted("refused: only-plain-words") == f"refused: {REDACTED}"


def test_only_the_keys_are_taken_out_of_what_a_person_reads() -> None:
    text = "only-plain-words failed in /home/ann/app/main.py with password=hunter2"
    environment = {"SOME_API_KEY": "only-plain-words"}

    shown = without_keys(text, environment)

    assert shown == f"{REDACTED} failed in /home/ann/app/main.py with password=hunter2"


@pytest.mark.parametrize("size", [1, 5, 1000])
def test_a_key_is_taken_out_of_a_text_that_comes_in_pieces(size: int) -> None:
    keep_secret("abra-cadabra")
    text = "abra, abra-cadabra and abra-cada"
    growing = GrowingText()

    shown = [growing.add(text[start : start + size]) for start in range(0, len(text), size)]

    assert "".join(shown) == f"abra, {REDACTED} and "
    assert growing.rest() == "abra-cada"
    assert growing.rest() == ""


def test_a_text_that_comes_in_pieces_is_shown_at_once_where_no_key_begins() -> None:
    keep_secret("abra-cadabra")

    assert GrowingText().add("Hello ") == "Hello "


def test_secrets_are_taken_out_of_settings_and_the_paths_in_them_stay() -> None:
    text = "https://ann:h2@example.com with /home/ann/app/main.py"

    assert without_secrets(text, {}) == (
        f"https://ann:{REDACTED}@example.com with /home/ann/app/main.py"
    )


@pytest.mark.parametrize(
    ("name", "is_secret"),
    [("OPENAI_API_KEY", True), ("api_key", True), ("KEY_FILE", False), ("monkey", False)],
)
def test_a_name_tells_whether_its_value_is_a_secret(name: str, is_secret: bool) -> None:
    assert is_secret_name(name) is is_secret


def test_a_pem_block_is_taken_out_also_where_its_end_is_missing() -> None:
    block = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nowIB\n-----END RSA PRIVATE KEY-----"

    assert redacted(f"bad key {block} here", {}) == f"bad key {REDACTED} here"
    assert redacted(f"bad key {block[:40]}", {}) == f"bad key {REDACTED}"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            'File "/home/ann/site-packages/lib/x.py", line 3, in f',
            'File "x.py", line 3, in f',
        ),
        ("failed at /home/ann/app/main.py:12: bad", "failed at main.py:12: bad"),
        ("cannot load (/usr/lib/python3/x.so)", "cannot load (x.so)"),
        (r"cannot load C:\Users\ann\app\main.pyd", "cannot load main.pyd"),
    ],
    ids=str,
)
def test_the_path_of_code_is_cut_to_its_file_name(text: str, shown: str) -> None:
    assert redacted(text, {}) == shown


def test_a_long_text_is_cut_and_its_length_told() -> None:
    shown = for_model("x" * 100_000)

    assert shown.startswith("x" * MOST_CHARACTERS + "…")
    assert "100000 characters" in shown
    assert len(shown) < MOST_CHARACTERS + 100


HOSTILE = [
    "-----BEGIN A-----",
    "://a:",
    "password=",
    "token: '",
    'File "/',
    " /a/b",
    "-eyJ",
    ".eyJ",
    "authorization: ",
    "bearer ",
    "cookie: a=",
    "sk-",
    "a" * 50,
    "/",
    "?key=",
    "= ",
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_long_text_takes_time_in_proportion(piece: str) -> None:
    text = piece * (400_000 // len(piece))
    since = time.thread_time()

    redacted(text, {})

    assert time.thread_time() - since < 5  # a square of the length would take minutes


def raised(error: BaseException) -> BaseException:
    try:
        raise error
    except BaseException as caught:
        return caught


def test_the_words_of_an_exception_lose_their_secrets_and_the_exception_is_kept() -> None:
    error = raised(ValueError("password=hunter2 refused"))

    artifact = failure(error)

    assert artifact.value == f"ValueError: password={REDACTED} refused"
    assert artifact.exception is error


def test_chains_and_notes_are_not_shown() -> None:
    cause = raised(RuntimeError("the inner cause"))
    error = ValueError("bad date")
    error.__cause__ = cause
    error.add_note("a note for programmers")

    assert failure(raised(error)).value == "ValueError: bad date"


@pytest.mark.parametrize(
    "error", [ToolError("Use token=abcdefgh12."), InvalidInput(["password=x"])], ids=repr
)
def test_words_that_were_chosen_for_the_model_stand_as_they_are(error: Exception) -> None:
    assert failure(error).value == str(error)


def test_a_long_exception_is_cut() -> None:
    shown = failure(ValueError("y" * 50_000)).value

    assert len(shown) < MOST_CHARACTERS + 100
    assert "characters in all" in shown


def test_an_exception_that_a_tool_returns_loses_its_secrets_too() -> None:
    artifact = to_artifact(OSError("password=hunter2"))

    assert isinstance(artifact, ErrorArtifact)
    assert artifact.value == f"OSError: password={REDACTED}"


def test_the_traceback_goes_to_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("DEBUG", "agenthost"):
        failure(raised(ValueError("bad date")))

    [record] = caplog.records
    assert record.exc_info is not None
    assert "bad date" in caplog.text
