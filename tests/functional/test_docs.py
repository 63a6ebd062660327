"""The documents are whole: the site builds, its links lead on, the reference is the code's."""

from __future__ import annotations

import inspect
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import click
import pytest
from click.testing import CliRunner

from agenthost.cli.root import cli
from agenthost.registry.host_commands import HOST_COMMANDS
from agenthost_sdk import hookspecs
from support.once import made_once
from support.readme import ROOT, blocks, commands

DOCS = ROOT / "docs"

#: What people write; the reference is written by the code itself.
WRITTEN = [page for page in sorted(DOCS.rglob("*.md")) if page.parent.name != "reference"]


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the repository."""
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **variables},
        cwd=ROOT,
        timeout=120,
        check=False,
    )


class Page(HTMLParser):
    """A page of the site: the addresses that it points to, and the anchors that it has."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.anchors.add(given.get("id") or "")
        if tag == "a":
            self.links.append(given.get("href") or "")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the site, built with every warning an error."""

    def build(place: Path) -> None:
        into = (str(place / "html"), "-d", str(place / "doctrees"))
        done = run("-m", "sphinx", "-W", "--keep-going", "-q", "-c", "docs", ".", *into)
        assert done.returncode == 0, done.stderr

    return made_once(tmp_path_factory, "site", build) / "html"


def test_every_document_is_a_page_that_the_index_leads_to(site: Path) -> None:
    left, reached = [site / "index.html", site / "docs" / "index.html"], set[Path]()
    while left:
        page = left.pop()
        if page not in reached:
            reached.add(page)
            left += [target for target, _ in targets(page) if target.suffix == ".html"]

    documents = [*DOCS.rglob("*.md"), *ROOT.glob("*.md"), *ROOT.glob("plugins/*/README.md")]
    pages = {site / one.relative_to(ROOT).with_suffix(".html") for one in documents}

    assert len(pages) > 30
    assert pages <= reached


def test_every_link_within_the_site_leads_to_a_page_and_an_anchor_of_it(site: Path) -> None:
    pages = {page: Page(page) for page in site.rglob("*.html") if "_static" not in page.parts}

    broken = [
        f"{page.relative_to(site)} points to {target.relative_to(site)}#{anchor}"
        for page in pages
        for target, anchor in targets(page)
        if not target.exists() or (anchor and anchor not in pages[target].anchors)
    ]

    assert broken == []


def targets(page: Path) -> list[tuple[Path, str]]:
    """Return the files of the site that a page points to, each with the anchor."""
    found = (urldefrag(link) for link in Page(page).links)
    return [
        ((page.parent / unquote(url)).resolve() if url else page, unquote(anchor))
        for url, anchor in found
        if not urlsplit(url).scheme
    ]


def test_the_reference_is_what_the_code_says(tmp_path: Path) -> None:
    # Neither the terminal nor the settings of whoever runs it make it another one.
    done = run("docs/generate.py", "--check", COLUMNS="50", AGENTHOST_HOME=str(tmp_path))

    assert (done.returncode, done.stderr) == (0, ""), f"{done.stdout}{done.stderr}"


def test_a_reference_that_is_out_of_date_is_told_with_what_mends_it(tmp_path: Path) -> None:
    shutil.copy(DOCS / "generate.py", tmp_path)
    shutil.copytree(DOCS / "generator", tmp_path / "generator")
    command = str(tmp_path / "generate.py")
    run(command)
    old = tmp_path / "reference" / "hooks.md"
    old.write_text(old.read_text(encoding="utf-8").replace("agenthost_tools", "agenthost_tool"))

    told, mended, after = run(command, "--check"), run(command), run(command, "--check")

    assert told.returncode == 1
    assert told.stdout == (
        "docs/reference/hooks.md is not as the code is. Write it anew: python docs/generate.py\n"
    )
    assert (mended.returncode, after.returncode) == (0, 0)


def test_every_hook_is_in_the_reference_with_its_exact_signature() -> None:
    shown = dict(
        re.findall(
            r"^## (agenthost_\w+)\n\n```python\ndef \1(.*)\n```$",
            (DOCS / "reference" / "hooks.md").read_text(encoding="utf-8"),
            re.MULTILINE,
        )
    )
    hooks = {name: value for name, value in vars(hookspecs).items() if name[:10] == "agenthost_"}

    signatures = {name: str(inspect.signature(hook)) for name, hook in hooks.items()}

    assert shown == {name: signature.replace("'", "") for name, signature in signatures.items()}


def test_every_command_of_the_help_is_in_the_reference(tmp_path: Path) -> None:
    alone = {"AGENTHOST_HOME": str(tmp_path), "AGENTHOST_PLUGINS": ""}
    told = run("-m", "agenthost", "--help", **alone)
    helped = set(re.findall(r"^  ([a-z]\S*)  +[A-Z]", told.stdout, re.MULTILINE))
    page = (DOCS / "reference" / "commands.md").read_text(encoding="utf-8")

    shown = set(re.findall(r"^### agenthost (\S+)$", page, re.MULTILINE))

    assert helped == shown == set(HOST_COMMANDS)


@pytest.mark.parametrize("page", ["command-line", "permissions", "plugins", "settings"])
def test_every_command_that_a_page_shows_can_be_read(page: str) -> None:
    lines = commands(DOCS / f"{page}.md")

    results = {
        line: CliRunner().invoke(cli, [*shlex.split(line, comments=True), "--help"])
        for line in lines  # parsed, and not run
    }

    assert {line: result.exit_code for line, result in results.items()} == dict.fromkeys(lines, 0)
    assert lines


def test_the_envelopes_shown_are_those_that_are_printed(tmp_path: Path) -> None:
    shown = [json.loads(one.code) for one in blocks(DOCS / "command-line.md", "json")]
    alone = {"AGENTHOST_HOME": str(tmp_path), "AGENTHOST_PLUGINS": "calculator"}

    listed = run("-m", "agenthost", "tools", "list", "--json", **alone)
    failed = run("-m", "agenthost", "tools", "show", "Calculater", "--json", **alone)

    data, error = (json.loads(done.stdout) for done in (listed, failed))
    assert [{**data, "data": []}, error["error"].keys()] == [shown[0], shown[1]["error"].keys()]
    told = shown[1]["error"]
    assert (failed.returncode, error["error"]["code"]) == (told["exit"], told["code"])
    assert told["near"][0] in error["error"]["near"]


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.stem)
def test_every_command_that_a_page_names_is_one_that_there_is(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = re.findall(r"`agenthost((?:\s+[a-z][^\s`]*)+)", text) + re.findall(
        r"^\$ agenthost((?: [a-z]\S*)+)", text, re.MULTILINE
    )

    unknown = [words for words in named if not is_command(words.split())]

    assert unknown == []


def is_command(words: list[str]) -> bool:
    """Return whether words begin with a command, and with one of it where that is a group."""
    command: click.Command | None = cli
    for word in words:
        if not isinstance(command, click.Group):
            return True
        name = word.rstrip("`.,;:)…")
        known = HOST_COMMANDS if command is cli else command.list_commands(click.Context(command))
        if name not in known:
            return command is cli and name == "census"  # a plugin's, on the page of commands
        command = command.get_command(click.Context(command), name)
    return True
