"""The key store keeps keys in a file that nobody else can read, and loses none."""

from __future__ import annotations

import json
import logging
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from agenthost.folders import Folders
from agenthost.keys import KeyStore, use_key_store
from agenthost_sdk.errors import NotFoundError, SettingsError
from agenthost_sdk.keys import find_key
from agenthost_sdk.redaction import REDACTED, without_keys

POSIX = pytest.mark.skipif(os.name != "posix", reason="Windows has no such modes")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def store(home: Path) -> KeyStore:
    return KeyStore(Folders.under(str(home)))


def test_a_key_that_is_set_is_found_by_another_store_of_that_folder(
    store: KeyStore, home: Path
) -> None:
    left = store.set("OPENAI_API_KEY", " key-of-the-test\r\n")

    another = KeyStore(Folders.under(str(home)))
    assert left == ""
    assert another.get("OPENAI_API_KEY") == "key-of-the-test"
    assert another.names() == ["OPENAI_API_KEY"]
    assert another.places() == {"OPENAI_API_KEY": "file"}


def test_nothing_is_made_by_looking(store: KeyStore, home: Path) -> None:
    assert store.get("OPENAI_API_KEY") == ""
    assert store.names() == []
    assert list(store.problems()) == []
    assert not home.exists()


def test_a_key_takes_the_place_of_the_old_one_and_no_other(store: KeyStore) -> None:
    store.set("OPENAI_API_KEY", "the-old-key")
    store.set("ANTHROPIC_API_KEY", "another-key")

    store.set("OPENAI_API_KEY", "the-new-key")

    assert store.get("OPENAI_API_KEY") == "the-new-key"
    assert store.get("ANTHROPIC_API_KEY") == "another-key"


def test_a_key_that_is_removed_is_in_no_file_any_more(store: KeyStore, home: Path) -> None:
    store.set("OPENAI_API_KEY", "key-to-remove")
    store.set("ANTHROPIC_API_KEY", "key-to-keep")

    store.remove("OPENAI_API_KEY")

    assert store.get("OPENAI_API_KEY") == ""
    assert store.get("ANTHROPIC_API_KEY") == "key-to-keep"
    assert not [file for file in home.iterdir() if "key-to-remove" in file.read_text()]


def test_a_key_that_is_not_kept_cannot_be_removed(store: KeyStore) -> None:
    store.set("OPENAI_API_KEY", "some-key-or-other")

    with pytest.raises(NotFoundError, match="Did you mean 'OPENAI_API_KEY'"):
        store.remove("OPENAI_APIKEY")


@POSIX
@pytest.mark.parametrize("there", [False, True], ids=["new", "there"])
def test_nobody_else_can_read_the_file_even_while_it_is_written(
    store: KeyStore, home: Path, there: bool
) -> None:
    if there:
        home.mkdir(mode=0o755)
    modes: set[int] = set()
    done = threading.Event()

    def watch() -> None:
        while not done.is_set():
            modes.update(seen_modes(home))

    mask = os.umask(0)
    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        for number in range(50):
            store.set("OPENAI_API_KEY", f"key-number-{number}")
    finally:
        done.set()
        watcher.join()
        os.umask(mask)

    assert modes | set(seen_modes(home)) == {0o600}
    assert home.stat().st_mode & 0o777 == (0o755 if there else 0o700)


def seen_modes(folder: Path) -> Iterator[int]:
    for entry in folder.iterdir() if folder.exists() else ():
        try:
            yield entry.stat().st_mode & 0o777
        except FileNotFoundError:
            continue


@POSIX
def test_a_file_that_others_can_read_is_used_and_told_of_with_what_mends_it(
    store: KeyStore, caplog: pytest.LogCaptureFixture
) -> None:
    store.set("OPENAI_API_KEY", "key-in-the-open")
    Path(store.path).chmod(0o644)

    with caplog.at_level(logging.WARNING, "agenthost"):
        found = {store.get("OPENAI_API_KEY") for _ in range(3)}

    [problem] = store.problems()
    assert found == {"key-in-the-open"}
    assert [record.getMessage() for record in caplog.records] == [problem]
    assert f"chmod 600 {store.path}" in problem
    assert "key-in-the-open" not in problem


@POSIX
def test_a_file_that_others_could_read_is_closed_to_them_by_the_next_key(store: KeyStore) -> None:
    store.set("OPENAI_API_KEY", "key-in-the-open")
    Path(store.path).chmod(0o644)

    store.set("OPENAI_API_KEY", "key-behind-a-door")

    assert Path(store.path).stat().st_mode & 0o777 == 0o600
    assert list(store.problems()) == []


@POSIX
def test_a_file_that_cannot_be_written_keeps_the_old_key(store: KeyStore, home: Path) -> None:
    store.set("OPENAI_API_KEY", "the-key-before")
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    home.chmod(0o500)

    try:
        with pytest.raises(SettingsError, match=r"keys\.json cannot be written"):
            store.set("OPENAI_API_KEY", "the-key-after")
    finally:
        home.chmod(0o700)

    assert store.get("OPENAI_API_KEY") == "the-key-before"


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    store = KeyStore(Folders.under(str(tmp_path / "file" / "home")))

    with pytest.raises(SettingsError, match=r"keys\.json cannot be written: Not a directory"):
        store.set("OPENAI_API_KEY", "a-key-without-a-place")


def test_keys_that_are_set_at_once_are_all_kept(store: KeyStore) -> None:
    names = [f"KEY_{number}" for number in range(40)]

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda name: store.set(name, f"{name}-value"), names))

    assert {name: store.get(name) for name in names} == {name: f"{name}-value" for name in names}


SECRET = "sk-in-a-file-nobody-mended"

BROKEN = {
    "syntax": ('{\n  "keys": {\n    "OPENAI_API_KEY": "%s"\n    "B": ""\n}}', "line 4, column 5"),
    "an open text": ('{"keys": {"OPENAI_API_KEY": "%s', "line 1, column 29"),
    "empty": ("", "line 1, column 1"),
    "a list": ('["%s"]', 'an object with "keys" and "keyring"'),
    "no table": ('{"OPENAI_API_KEY": "%s"}', 'an object with "keys" and "keyring"'),
    "a text for all": ('{"keys": "%s"}', "a text for each name"),
    "a list for one": ('{"keys": {"OPENAI_API_KEY": ["%s"]}}', "OPENAI_API_KEY has none"),
    "no list": ('{"keyring": "%s"}', "a list of names"),
    "deep": ("[" * 100_000, "recursion"),
}


@pytest.mark.parametrize(("text", "words"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_told_with_its_line_and_never_with_a_key(
    store: KeyStore, home: Path, text: str, words: str
) -> None:
    home.mkdir()
    Path(store.path).write_text(text.replace("%s", SECRET))

    with pytest.raises(SettingsError) as caught:
        store.get("OPENAI_API_KEY")

    assert words in str(caught.value)
    assert store.path in str(caught.value)
    assert [str(caught.value)] == list(store.problems())
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_a_file_that_is_no_text_is_told_with_its_line(store: KeyStore, home: Path) -> None:
    home.mkdir()
    Path(store.path).write_bytes(b'{\n"keys": {"A": "\xff"}}')

    with pytest.raises(SettingsError, match="no UTF-8 in line 2"):
        store.names()


def test_a_broken_file_is_not_overwritten(store: KeyStore, home: Path) -> None:
    home.mkdir()
    Path(store.path).write_text(f'{{"keys": {{"A": "{SECRET}"')

    with pytest.raises(SettingsError, match="cannot be used"):
        store.set("OPENAI_API_KEY", "key-for-a-broken-file")

    assert SECRET in Path(store.path).read_text()


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ("first-line\nsecond-line", "one line, and 2"),
        ("first-line\rsecond-line", "one line, and 2"),
        ("key\0with-a-null", "cannot be seen"),
        ("key\x1b[31mcoloured", "cannot be seen"),
        ("key\u200bwith-nothing", "cannot be seen"),
        ("key\twith-a-tab", "cannot be seen"),
    ],
    ids=repr,
)
def test_what_is_no_key_is_refused_without_repeating_it(
    store: KeyStore, value: str, words: str
) -> None:
    with pytest.raises(SettingsError, match=words) as caught:
        store.set("OPENAI_API_KEY", value)

    assert "line" not in value or "second" not in str(caught.value)
    assert store.names() == []


@pytest.mark.parametrize("name", ["", "sk-0123456789", "A B", "A=B", "1A", "ÄPFEL", "A\n"])
def test_what_is_no_name_is_refused_without_repeating_it(store: KeyStore, name: str) -> None:
    with pytest.raises(SettingsError, match="such as OPENAI_API_KEY") as caught:
        store.set(name, "key-without-a-name")

    assert not name or name not in str(caught.value)
    assert store.names() == []


def test_what_a_store_gave_or_took_is_not_shown_any_more(store: KeyStore, home: Path) -> None:
    home.mkdir()
    Path(store.path).write_text(json.dumps({"keys": {"OPENAI_API_KEY": "key-written-by-hand"}}))

    store.get("OPENAI_API_KEY")
    store.set("ANTHROPIC_API_KEY", "key-that-was-set")

    said = without_keys("key-written-by-hand, key-that-was-set")
    assert said == f"{REDACTED}, {REDACTED}"


def test_keys_are_found_in_the_store_of_the_person_who_runs_this(
    store: KeyStore, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.set("KEY_OF_A_PERSON", "key-in-the-store")
    use_key_store()
    use_key_store()

    elsewhere = find_key("KEY_OF_A_PERSON")
    monkeypatch.setenv("AGENTHOST_HOME", str(home))
    here = find_key("KEY_OF_A_PERSON")
    monkeypatch.setenv("KEY_OF_A_PERSON", "key-in-the-environment")

    assert (elsewhere, here) == ("", "key-in-the-store")
    assert find_key("KEY_OF_A_PERSON") == "key-in-the-environment"
