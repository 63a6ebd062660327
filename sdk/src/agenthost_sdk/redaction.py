"""Take secrets, and the paths of code, out of what an exception says before a model reads it.

Each expression here looks at a character a bounded number of times, so that a long text takes
time in proportion to its length.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from urllib.parse import quote, quote_plus

from agenthost_sdk.keys import SHORTEST_SECRET, kept_secrets

#: What stands in the place of a secret.
REDACTED = "[redacted]"

#: How many characters of an exception a model is shown.
MOST_CHARACTERS = 2_000

# More is never looked at; the rest of a text is cut off in any case.
_LOOKED_AT = 4 * MOST_CHARACTERS


def for_model(text: str) -> str:
    """Return what went wrong in words for a model: without secrets, and not too long."""
    looked_at = text if len(text) <= _LOOKED_AT else _without_begun_key(text[:_LOOKED_AT])
    shown = redacted(looked_at)
    if len(text) <= _LOOKED_AT and len(shown) <= MOST_CHARACTERS:
        return shown
    return f"{shown[:MOST_CHARACTERS]}… [cut here; {len(text)} characters in all]"


def redacted(text: str, environment: Mapping[str, str] | None = None) -> str:
    """Return a text without what looks like a secret, and with paths of code as file names.

    Args:
        text: What may hold secrets.
        environment: The environment variables; those of the process where none are given.
    """
    text = without_secrets(text, environment)
    text = _FILE.sub(_with_file_name, text)
    return _PATH.sub(_without_folders, text)


def without_secrets(text: str, environment: Mapping[str, str] | None = None) -> str:
    """Return a text without what looks like a secret; its paths stay as they are.

    Taken for secrets are the keys that `without_keys` takes out, values that are given to a
    password, token or key by name, the passwords in URLs, keys and tokens of known shapes, and
    PEM blocks.

    Args:
        text: What may hold secrets.
        environment: The environment variables; those of the process where none are given.
    """
    text = _without_pem(without_keys(text, environment))
    text = _IN_URL.sub(rf"\1{REDACTED}@", text)
    text = _AUTHORIZATION.sub(_without_credentials, text)
    text = _COOKIE.sub(rf"\1{REDACTED}", text)
    text = _BEARER.sub(_without_token, text)
    text = _GIVEN.sub(_without_value, text)
    return _SHAPES.sub(_without_key, text)


def without_keys(text: str, environment: Mapping[str, str] | None = None) -> str:
    """Return a text without the keys that this process knows, and else as it is.

    These are all that were found or set in this process, and the values of environment variables
    that are named like a secret; each also as `repr`, JSON and URLs write it.

    Args:
        text: What may hold keys.
        environment: The environment variables; those of the process where none are given.
    """
    return _without_forms(text, _secret_forms(os.environ if environment is None else environment))


class GrowingText:
    """A text that is shown while it comes: what may be the beginning of a key is held back.

    The keys are those that were found or set in this process before the text begins.
    """

    def __init__(self) -> None:
        self._forms = _secret_forms({})
        self._held = ""

    def add(self, piece: str) -> str:
        """Return what can be shown now that a piece has come."""
        text = _without_forms(self._held + piece, self._forms)
        shown = len(text) - max((_begun(text, form) for form in self._forms), default=0)
        self._held = text[shown:]
        return text[:shown]

    def rest(self) -> str:
        """Return what was held back, once nothing more comes."""
        held, self._held = self._held, ""
        return held


def is_secret_name(name: str) -> bool:
    """Return whether what bears such a name, a variable or a field, is a secret."""
    return bool(_SECRET_VARIABLE.search(name)) and not _PLAIN_VARIABLE.search(name)


_SECRET_VARIABLE = re.compile(
    r"(?:\A|_)(?:API)?(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|PASS|CREDENTIALS?)S?(?:_|\Z)",
    re.IGNORECASE,
)

_PLAIN_VARIABLE = re.compile(r"_(?:PATH|FILE|DIR|TYPE|NAME|MODE|SIZE)\Z", re.IGNORECASE)


def _without_forms(text: str, forms: Iterable[str]) -> str:
    for form in forms:
        text = text.replace(form, REDACTED)
    return text


def _without_begun_key(text: str) -> str:
    """Return a text that was cut off without the key that the cut went through."""
    begun = (_begun(text, form) for form in _secret_forms(os.environ))
    return text[: len(text) - max(begun, default=0)]


def _begun(text: str, form: str) -> int:
    """Return how many of a key's first characters a text ends with."""
    most = min(len(form) - 1, len(text))
    return next((length for length in range(most, 0, -1) if text.endswith(form[:length])), 0)


def _secret_forms(environment: Mapping[str, str]) -> list[str]:
    """Return what must not be shown, in the forms that it has in texts, the longest first."""
    named = (value.strip() for name, value in environment.items() if is_secret_name(name))
    secrets = {*kept_secrets(), *(value for value in named if len(value) >= SHORTEST_SECRET)}
    return sorted({form for secret in secrets for form in _forms(secret)}, key=len, reverse=True)


@lru_cache(maxsize=256)
def _forms(secret: str) -> frozenset[str]:
    """Return a secret in plain, and as `repr`, JSON and URLs write it."""
    written = {json.dumps(secret), json.dumps(secret, ensure_ascii=False), repr(secret)}
    sendable = secret.encode("utf-8", "replace")  # a variable may hold what is no text
    in_urls = {quote(sendable), quote(sendable, safe=""), quote_plus(sendable)}
    return frozenset({secret, *(form[1:-1] for form in written), *in_urls})


_PEM_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{1,60}-----")
_PEM_END = re.compile(r"-----END [A-Z0-9 ]{1,60}-----")


def _without_pem(text: str) -> str:
    return "".join(_around_pem(text)) if "-----BEGIN " in text else text


def _around_pem(text: str) -> Iterator[str]:
    place = 0
    while (begin := _PEM_BEGIN.search(text, place)) is not None:
        yield text[place : begin.start()]
        yield REDACTED
        end = _PEM_END.search(text, begin.end())
        if end is None:
            return
        place = end.end()
    yield text[place:]


_IN_URL = re.compile(r"(://[^\s/?#:@]{0,200}:)[^\s/?#@\"']{1,400}@")

_AUTHORIZATION = re.compile(
    r"\b((?:proxy-)?authorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?"
    r"(?:(?:bearer|basic|digest|token|apikey)\s{1,3})?)([^\s\"',;]{1,4000})",
    re.IGNORECASE,
)

_BEARER = re.compile(r"\b(bearer\s{1,3})([\w.~+/=-]{8,4000})", re.IGNORECASE)

_COOKIE = re.compile(
    r"\b((?:set-)?cookie[\"']?:\s{0,3}[\"']?[\w-]{1,100}=)[^\s\"'][^\r\n\"']{0,4000}",
    re.IGNORECASE,
)

# A name that ends in one of the words, what stands between, and a value: quoted, or up to the
# next space or separator.
_GIVEN = re.compile(
    r"(?P<name>(?:passwords?|passwd|passphrase|pwd|secrets?|credentials?"
    r"|(?:private|secret|access|account|encryption|signing|master|subscription|api)[_ -]?key"
    r"|apikey|tokens?|client[_-]?secret)(?![a-zA-Z0-9_-])"
    r"|(?<=[?&])(?:key|sig|signature|x-amz-[a-z-]{1,40})(?==))"
    r"(?P<between>[\"']?\s{0,3}(?:=>?|:)\s{0,3})"
    r"(?P<value>b?\"[^\"\r\n]{0,4000}\"?|b?'[^'\r\n]{0,4000}'?|[^\s\"',;&<>(){}\[\]]{1,4000})",
    re.IGNORECASE,
)

_PROSE_WORDS = """
    a an and any are at be been but by can cannot contains could did do does empty expected expired
    failed false field for found from given had has have here if in incorrect input invalid is it
    length longer may minimum mismatch missing must need needs no none not null of on only or
    please rejected required see shorter should that the they this to too true try undefined
    unexpected unknown use value was were will with wrong you your
"""

#: What prose says of a password or a token, rather than what one is.
_PROSE = frozenset(_PROSE_WORDS.split())

_QUOTES = ('"', "'")

#: Names for what a person chooses: of these, any word may be the value.
_CHOSEN = re.compile(r"pass|pwd|secret|credential", re.IGNORECASE)


def _without_value(found: re.Match[str]) -> str:
    name, between, value = found["name"], found["between"], found["value"]
    quoted = value.lstrip("b") if value[1:2] in _QUOTES else value
    mark = quoted[:1] if quoted[:1] in _QUOTES else ""
    bare = value if not mark else quoted.strip(mark)
    if bare.rstrip(".:!?").lower() in _PROSE or not bare or REDACTED.startswith(bare):
        return found[0]
    is_close = between.strip("\"'") in ("=", "=>")
    if not (_is_secret(name, bare, is_named=bool(mark) or is_close)):
        return found[0]
    return f"{name}{between}{mark}{REDACTED}{mark}"


def _is_secret(name: str, value: str, *, is_named: bool) -> bool:
    """Return whether a value is one: of a password any may be, a token is no mere number."""
    if _CHOSEN.search(name):
        is_path = name.lower() == "pwd" and value[:1] in ("/", "~")
        return not is_path and (is_named or not (value.isdigit() and len(value) < 4))
    return _is_random(value) or (is_named and not value.isdigit() and name[-1] not in "sS")


def _without_credentials(found: re.Match[str]) -> str:
    is_prose = found[2].rstrip(".:!?").lower() in _PROSE
    return found[0] if is_prose else f"{found[1]}{REDACTED}"


def _without_token(found: re.Match[str]) -> str:
    return f"{found[1]}{REDACTED}" if _is_random(found[2]) else found[0]


#: Keys and tokens that their makers gave a shape of their own.
_SHAPES = re.compile(
    r"(?<![\w-])(?:"
    r"sk-[A-Za-z0-9_-]{16,400}"
    r"|[rsp]k_(?:live|test)_[A-Za-z0-9]{10,400}"
    r"|gh[pousr]_[A-Za-z0-9]{20,400}|github_pat_[A-Za-z0-9_]{20,400}|glpat-[A-Za-z0-9_-]{20,400}"
    r"|(?:AKIA|ASIA)[A-Z0-9]{16}"
    r"|xox[a-z]-[A-Za-z0-9-]{10,400}|xapp-[A-Za-z0-9-]{10,400}"
    r"|AIza[A-Za-z0-9_-]{30,60}|ya29\.[A-Za-z0-9_-]{20,4000}"
    r"|hf_[A-Za-z0-9]{20,400}|npm_[A-Za-z0-9]{30,60}|pypi-[A-Za-z0-9_-]{30,4000}"
    r"|SG\.[A-Za-z0-9_-]{16,40}\.[A-Za-z0-9_-]{16,80}"
    r"|eyJ[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{8,8000}(?:\.[A-Za-z0-9_-]{0,8000})?"
    r")"
)


def _without_key(found: re.Match[str]) -> str:
    return REDACTED if _is_random(found[0]) else found[0]


def _is_random(value: str) -> bool:
    """Return whether a value looks made up by a machine: long, with digits among its letters."""
    if len(value) < SHORTEST_SECRET:
        return False
    return any(sign.isdigit() for sign in value) and any(sign.isalpha() for sign in value)


_FILE = re.compile(r"(\bFile \")([^\"\r\n]{1,4000})\"")

_PATH = re.compile(r"(?<![^\s\"'(=\[,])(?:[A-Za-z]:)?[/\\][^\s\"'<>|*?,;()\[\]{}]{1,4000}")

#: The files whose folders tell a model nothing: those of code, as they stand in a traceback.
_CODE = re.compile(r"\.(?:py[cdiwx]?|so|dll|dylib)(?::\d{1,9}){0,2}[.:]?\Z")


def _with_file_name(found: re.Match[str]) -> str:
    return f'{found[1]}{_file_name(found[2])}"'


def _without_folders(found: re.Match[str]) -> str:
    path = found[0]
    return _file_name(path) if _CODE.search(path[-40:]) else path


def _file_name(path: str) -> str:
    return re.split(r"[/\\]", path)[-1]
