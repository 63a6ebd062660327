"""Read the receipt of `uv tool`, and say it again as the arguments that lead to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit, urlunsplit


class Entry(NamedTuple):
    """A distribution of a tool's environment, as the person asked for it."""

    name: str
    #: A requirement, or a path.
    text: str
    editable: bool = False


def entries_of(receipt: Mapping[str, Any]) -> list[Entry]:
    """Return what belongs into the environment; the tool itself comes first."""
    return [_entry(row) for row in receipt["requirements"]]


def arguments_of(entries: Iterable[Entry]) -> list[str]:
    """Return the arguments that add distributions to a tool."""
    arguments: list[str] = []
    for entry in entries:
        arguments += ["--with-editable" if entry.editable else "--with", entry.text]
    return arguments


def options_of(receipt: Mapping[str, Any], *, pre: bool, index_url: str) -> list[str]:
    """Return the arguments that say where distributions are looked for, as the receipt has it.

    Args:
        receipt: What uv wrote down.
        pre: Whether versions before a release are to do, whatever the receipt says.
        index_url: The index that goes before the receipt's; "" for that.
    """
    options = dict(receipt.get("options", {}))
    options |= {"prerelease": "allow"} if pre else {}
    options |= {"index-url": index_url} if index_url else {}
    arguments = ["--no-index"] if options.get("no-index") else []
    for name, option in _OPTIONS.items():
        value = options.get(name, [])
        for one in value if isinstance(value, list) else [value]:
            arguments += [option, str(one)]
    for index in options.get("index", []):
        if not (index.get("default") and index_url):
            option = "--default-index" if index.get("default") else "--index"
            arguments += [option, str(index["url"])]
    return arguments


#: The options of a receipt, and how the command takes them.
_OPTIONS = {
    "index-url": "--default-index",
    "extra-index-url": "--index",
    "find-links": "--find-links",
    "prerelease": "--prerelease",
    "index-strategy": "--index-strategy",
    "exclude-newer": "--exclude-newer",
}


def _entry(row: Mapping[str, Any]) -> Entry:
    name = str(row["name"])
    extras = f"[{','.join(row['extras'])}]" if row.get("extras") else ""
    if "editable" in row:
        return Entry(name, f"{row['editable']}{extras}", editable=True)
    if "directory" in row or "path" in row:
        return Entry(name, f"{row.get('directory') or row.get('path')}{extras}")
    marker = f" ; {row['marker']}" if row.get("marker") else ""
    if "git" in row:
        return Entry(name, f"{name}{extras} @ {_git(row['git'])}{marker}")
    if "url" in row:
        return Entry(name, f"{name}{extras} @ {row['url']}{marker}")
    return Entry(name, f"{name}{extras}{row.get('specifier', '')}{marker}")


def _git(address: str) -> str:
    """Return an address of git, with its revision where requirements have it."""
    parts = urlsplit(address)
    query = parse_qs(parts.query)
    revision = next((query[key][0] for key in ("rev", "tag", "branch") if key in query), "")
    folder = query.get("subdirectory", [""])[0] or parts.fragment.removeprefix("subdirectory=")
    bare = urlunsplit(parts._replace(query="", fragment=""))
    at, below = f"@{revision}" if revision else "", f"#subdirectory={folder}" if folder else ""
    return f"git+{bare}{at}{below}"
