"""Write the reference, docs/reference/*.md, from the code; with --check, see whether it is so.

    python docs/generate.py            # writes what has changed
    python docs/generate.py --check    # names what has changed, and exits with 1

What is written depends on the code alone: not on the terminal, the settings, the plugins that are
installed, or the version of Python.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from generator import api, commands, exit_codes, hooks, settings

REFERENCE = Path(__file__).with_name("reference")

MEND = "python docs/generate.py"

PAGES: Mapping[str, Callable[[], str]] = {
    "commands.md": commands.page,
    "exit-codes.md": exit_codes.page,
    "hooks.md": hooks.page,
    "sdk.md": api.page_of_sdk,
    "settings.md": settings.page,
    "testing.md": api.page_of_kit,
}

MARK = f"<!-- Written by `{MEND}`; change the code, not this page. -->\n<!-- fmt: off -->\n\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pages, or name those that are not as the code is."""
    given = _parser().parse_args(arguments)
    changed = [name for name, page in PAGES.items() if _written(name) != MARK + page()]
    if given.check:
        for name in changed:
            print(f"docs/reference/{name} is not as the code is. Write it anew: {MEND}")  # noqa: T201 - it is a command
        return 1 if changed else 0
    REFERENCE.mkdir(exist_ok=True)
    for name in changed:
        (REFERENCE / name).write_text(MARK + PAGES[name](), encoding="utf-8", newline="\n")
        print(f"docs/reference/{name} is written.")  # noqa: T201 - likewise
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Write the reference from the code.")
    told = "write nothing; name the pages that are not as the code is"
    parser.add_argument("--check", action="store_true", help=told)
    return parser


def _written(name: str) -> str:
    path = REFERENCE / name
    return path.read_text(encoding="utf-8") if path.exists() else ""


if __name__ == "__main__":
    raise SystemExit(main())
