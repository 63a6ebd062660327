"""Read what a person asks to have installed: a short name, a distribution, a path, an address."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit, urlunsplit

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)

from agenthost_sdk.errors import AgenthostError

#: What stands before the short name of a plugin in the name of its distribution.
PREFIX = "agenthost-plugin-"

#: What the host consists of; it is not installed or removed as a plugin is.
HOST_NAMES = ("agenthost", "agenthost-sdk")

_ARCHIVES = (".whl", ".tar.gz", ".zip", ".tar.bz2", ".tgz")

_WITH_EXTRAS = re.compile(r"(?P<path>.+?)\s*(?P<extras>\[[\w\s,.-]*\])\Z", re.DOTALL)


class AskedWronglyError(AgenthostError):
    """What was asked for cannot be read, or is no plugin; the message says what to write."""


class Asked(NamedTuple):
    """One thing that is to be installed."""

    #: The name of its distribution; "" where that shows once it is installed.
    name: str
    #: What an installer takes: a requirement, or an absolute path; both may have extras.
    text: str
    #: The absolute path of a project, a wheel or an archive; "" where it is none.
    path: str = ""
    editable: bool = False

    @property
    def arguments(self) -> list[str]:
        """What pip and uv take."""
        return ["--editable", self.text] if self.editable else [self.text]

    def named(self, name: str) -> Asked:
        """Return the same with the name that its distribution turned out to have."""
        return self._replace(name=name)

    @property
    def is_address(self) -> bool:
        """Whether it is had from an address, and not from an index or this machine."""
        return not self.path and "://" in self.text

    @property
    def origin(self) -> str:
        """The address or path that it is had from; "" where an index has it."""
        if self.path:
            return self.path
        return self.text.partition("@")[2].strip() if _is_named_address(self.text) else self.text


def read_asked(texts: Iterable[str], *, exact: bool = False) -> list[Asked]:
    """Return what the texts ask for.

    Args:
        texts: Each is a short name such as `weather` or `weather[maps]>=1,<2`, the name of a
            distribution, a path (with a separator in it, or the ending of an archive), or an
            address.
        exact: Take names as they are, and put no `agenthost-plugin-` before them.

    Raises:
        AskedWronglyError: One of them cannot be read, or is the host itself.
    """
    return [_asked(text.strip(), exact=exact) for text in texts]


def read_editable(path: str) -> Asked:
    """Return what is installed in editable form.

    Raises:
        AskedWronglyError: It is no folder of a project.
    """
    found = _from_path(path)
    if not Path(found.path).is_dir():
        raise AskedWronglyError(f"-e takes the folder of a project, and {path} is none.")
    return found._replace(editable=True)


def read_list(file: Path) -> Iterator[str]:
    """Yield what a file asks for: one thing a line, with comments behind `#`.

    Raises:
        AskedWronglyError: It cannot be read.
    """
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()  # some editors begin with a mark
    except (OSError, UnicodeDecodeError) as error:
        raise AskedWronglyError(f"{file} cannot be read: {error}.") from error
    for line in lines:
        text = re.sub(r"(^|\s)#.*", "", line).strip()
        if text:
            yield text


def full_name(name: str, *, exact: bool = False) -> str:
    """Return the name of a distribution by a short name, or by its own."""
    own = canonicalize_name(name)
    return own if exact or "agenthost" in own else f"{PREFIX}{own}"


def without_credentials(text: str) -> str:
    """Return a requirement or an address without the password in it, and without its user.

    The user stays where it says whom ssh is to be, and is no token.
    """
    return re.sub(r"[\w+.-]+://[^\s]+", lambda found: _bare(found[0]), text)


def refuse_host(name: str, what: str) -> None:
    """Refuse to do something with the host that is meant for plugins.

    Raises:
        AskedWronglyError: The name is that of a distribution of the host.
    """
    if name in HOST_NAMES:
        raise AskedWronglyError(f"{name} is the host itself, and no plugin: {what}.")


def _asked(text: str, *, exact: bool) -> Asked:
    if not text:
        raise AskedWronglyError("Nothing was asked for: the name is empty.")
    if text.startswith("-"):
        raise AskedWronglyError(
            f"{text!r} is no plugin. The installer's own options go behind --."
        )
    if _OF_SSH.match(text):
        raise AskedWronglyError(
            f"{text!r} is an address of ssh, which installers take in another form:"
            " git+ssh://USER@HOST/PATH."
        )
    if _is_named_address(text):
        return _from_requirement(text, exact=True)
    if "://" in text:
        return Asked(_archive_name(urlsplit(text).path.rpartition("/")[2]), text)
    return _from_path(text) if _is_path(text) else _from_requirement(text, exact=exact)


#: How git and ssh have addresses, and no installer: me@example.org:weather.git, ssh://…
_OF_SSH = re.compile(r"[\w.-]+@[\w-]+(\.[\w-]+)+:(?!/)|ssh://")


def _is_named_address(text: str) -> bool:
    return bool(re.match(r"[\w.-]+\s*(\[[^\]]*\])?\s*@\s*[\w+.-]+:", text))


def _is_path(text: str) -> bool:
    bare = _parted(text)[0]
    return (
        bare.startswith((".", "~"))
        or "/" in bare
        or "\\" in bare
        or bare.lower().endswith(_ARCHIVES)
    )


def _parted(text: str) -> tuple[str, str]:
    """Return a path and its extras, in square brackets."""
    found = _WITH_EXTRAS.match(text)
    return (found["path"], found["extras"]) if found else (text, "")


def _from_path(text: str) -> Asked:
    bare, extras = _parted(text)
    path = Path(bare).expanduser().absolute()
    if not path.exists():
        raise AskedWronglyError(
            f"There is nothing at {path}. A plugin of an index is named without a folder."
        )
    if path.is_dir() and not any((path / name).is_file() for name in _PROJECT_FILES):
        raise AskedWronglyError(
            f"{path} is no project: it has no pyproject.toml. To begin one: `agenthost plugins"
            " new NAME`."
        )
    name = _project_name(path) if path.is_dir() else _archive_name(path.name)
    return Asked(name, f"{path}{extras}", str(path))


_PROJECT_FILES = ("pyproject.toml", "setup.py", "setup.cfg")


def _project_name(folder: Path) -> str:
    try:
        document = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
        return canonicalize_name(str(document["project"]["name"]))
    except (OSError, ValueError, LookupError, TypeError):  # its build decides, or it is wrong
        return ""


def _archive_name(file: str) -> str:
    try:
        return parse_wheel_filename(file)[0]
    except InvalidWheelFilename:
        pass
    try:
        return parse_sdist_filename(file)[0]
    except InvalidSdistFilename:
        return ""


def _from_requirement(text: str, *, exact: bool) -> Asked:
    try:
        requirement = Requirement(text)
    except InvalidRequirement as error:
        reason = str(error).splitlines()[0].rstrip(".")
        raise AskedWronglyError(
            f"{text!r} is neither a name nor a path: {reason}. Write a name such as weather,"
            " 'weather[maps]>=1,<2', a path such as ./weather, or an address."
        ) from error
    name = full_name(requirement.name, exact=exact)
    refuse_host(name, "`agenthost doctor` says how it was installed")
    requirement.name = name
    return Asked(name, str(requirement))


def _bare(address: str) -> str:
    parts = urlsplit(address)
    if "@" not in parts.netloc:
        return address
    user, _, place = parts.netloc.rpartition("@")
    kept = f"{user.partition(':')[0]}@" if parts.scheme.endswith("ssh") else ""
    return urlunsplit(parts._replace(netloc=f"{kept}{place}"))
