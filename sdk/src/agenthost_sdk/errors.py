"""The exceptions that agenthost raises, each with words for its reader.

The tree:

    AgenthostError
    ├── DefinitionError        an author described a tool, an activity or a driver wrongly
    │   ├── OptionError        an option of a tool that is missing, unknown, or does not fit
    │   ├── SchemaError        a schema that cannot be made or used
    │   └── NativeNameError    a name that providers refuse, or that two tools claim
    ├── PluginError            a plugin that cannot be loaded or breaks the hooks' contract
    ├── SettingsError          a setting that is wrong or cannot be read
    ├── NotFoundError          something asked for by a name that nothing bears
    ├── InvalidInput           an input that its activity or schema refuses
    ├── ToolError              raised by an activity: words meant for the model
    ├── DeniedError            an action that nobody allowed
    ├── LimitError             a limit of a run was reached
    └── DriverError            a provider refused, failed, or cannot be reached
        ├── NoDriverError                nothing is there to run on
        ├── DriverConnectionError        no connection, or one that broke
        │   └── DriverTimeoutError       no answer in time (408)
        ├── DriverRateLimitError         too many requests, or too many tokens (429)
        ├── DriverServerError            the provider failed or is overloaded (5xx)
        ├── DriverAuthenticationError    a key that is missing, wrong, or may not (401, 403)
        ├── DriverNotFoundError          no such model, or no such address (404)
        └── DriverRequestError           a request that the provider refuses (other 4xx)
"""

from __future__ import annotations

import copyreg
from collections.abc import Iterable, Sequence
from typing import Any


class AgenthostError(Exception):
    """The root of everything that agenthost raises on purpose.

    It can be copied and pickled, whatever the arguments of its class are, since a process that
    hands it to another one does so.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class DefinitionError(AgenthostError):
    """An author described something in a way that cannot work."""


class OptionError(DefinitionError):
    """A tool was given an option that it does not take, or a value that does not fit one.

    Args:
        tool: The name of the tool's class.
        option: The option's name.
        message: What was found, and what is needed.
        is_known: Whether the tool has such an option.
    """

    def __init__(self, tool: str, option: str, message: str, *, is_known: bool = True) -> None:
        self.tool = tool
        self.option = option
        self.is_known = is_known
        super().__init__(message)


class SchemaError(DefinitionError):
    """A schema cannot be made from what was given, or is not valid JSON Schema."""


class NativeNameError(DefinitionError):
    """A native name breaks the providers' rule, or two tools claim the same one."""


class PluginError(AgenthostError):
    """A plugin cannot be used; the message names it and what to do."""


class SettingsError(AgenthostError):
    """A setting is wrong, or its file cannot be read."""


class NotFoundError(AgenthostError):
    """Nothing bears the name that was asked for.

    Args:
        kind: What was looked for, such as "tool".
        asked: The name that was asked for.
        known: The names that exist.
        hint: What the reader can do, as a whole sentence.
    """

    def __init__(self, kind: str, asked: str, known: Iterable[str] = (), hint: str = "") -> None:
        self.kind = kind
        self.asked = asked
        self.known = sorted(known)
        self.near = nearest(asked, self.known)
        super().__init__(" ".join(part for part in (*self._sentences(), hint) if part))

    def _sentences(self) -> Iterable[str]:
        yield f"No {self.kind} named {self.asked!r}."
        if self.near:
            yield f"Did you mean {' or '.join(repr(name) for name in self.near)}?"
        if self.known:
            yield f"Known: {shortened(self.known)}."


class InvalidInput(AgenthostError):  # noqa: N818 - it names what is wrong, as ToolError does
    """An input was refused; `problems` says where and why, one entry for each fault."""

    def __init__(self, problems: Sequence[Any]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class ToolError(AgenthostError):
    """Raise it in an activity to choose the words that the model reads."""


class DeniedError(AgenthostError):
    """An action was not allowed; the message says which flag or rule allows it."""


class LimitError(AgenthostError):
    """A run reached one of its limits; the message names it, and so does `limit`."""

    def __init__(self, message: str, *, limit: str = "") -> None:
        self.limit = limit
        super().__init__(message)


class DriverError(AgenthostError):
    """A model's provider refused a request, failed, or could not be reached.

    Args:
        message: The provider's own words; keys that are known are taken out of them.
        provider: The driver's name, such as "openai".
        model: The model that was asked.
        status: The HTTP status, where there was one.
        request_id: The provider's name for the request, where it gave one.
        retry_after: How many seconds the provider asks to wait before the next request.
        is_retryable: Whether the same request may succeed later; as its class says where None.
    """

    is_retryable: bool = False

    def __init__(
        self,
        message: str,
        *,
        provider: str = "",
        model: str = "",
        status: int | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
        is_retryable: bool | None = None,
    ) -> None:
        self.provider = provider
        self.model = model
        self.status = status
        self.request_id = request_id
        self.retry_after = retry_after
        if is_retryable is not None:
            self.is_retryable = is_retryable
        from agenthost_sdk.redaction import without_keys  # only a failure needs its expressions

        words = _described(message, provider, model, status, request_id)
        super().__init__(without_keys(words))


class NoDriverError(DriverError):
    """No prompt driver can be used: none is installed, or no key is set."""


class DriverConnectionError(DriverError):
    """A provider could not be reached, or the connection to it broke."""

    is_retryable = True


class DriverTimeoutError(DriverConnectionError):
    """A provider did not answer in time."""


class DriverRateLimitError(DriverError):
    """A provider takes no more requests, or no more tokens, for now."""

    is_retryable = True


class DriverServerError(DriverError):
    """A provider failed, or is overloaded."""

    is_retryable = True


class DriverAuthenticationError(DriverError):
    """A provider does not know the key, or the key may not do what was asked."""


class DriverNotFoundError(DriverError):
    """A provider has no such model, or a server no such address."""


class DriverRequestError(DriverError):
    """A provider refuses the request as it is."""


def nearest(asked: str, known: Iterable[str], most: int = 3) -> list[str]:
    """Return up to `most` of the known names that look, or begin, like the one asked for."""
    import difflib  # only an error needs it

    folded: dict[str, list[str]] = {}
    for name in known:
        folded.setdefault(name.casefold(), []).append(name)
    sought = asked.casefold()
    begun = [one for one in folded if one.startswith(sought)] if len(sought) > 2 else []
    cutoff = 0.6 if len(sought) > 5 else 0.65  # of few letters too many words have half
    alike = difflib.get_close_matches(sought, folded, n=most, cutoff=cutoff)
    near = dict.fromkeys([*alike, *sorted(begun, key=len)])
    return [name for one in near for name in folded[one]][:most]


def how_to_make(given: object) -> str:
    """Return how an object is made of a class that was given in its place; "" for all else."""
    return f" Write {given.__name__}() to make one." if isinstance(given, type) else ""


def shortened(names: Sequence[str], most: int = 20) -> str:
    """Join names with commas; past `most` of them, say how many more there are."""
    rest = len(names) - most
    shown = ", ".join(names[:most])
    return f"{shown} and {rest} more" if rest > 0 else shown


def _described(
    message: str, provider: str, model: str, status: int | None, request_id: str | None
) -> str:
    source = ":".join(part for part in (provider, model) if part)
    facts = [f"status {status}"] if status is not None else []
    facts += [f"request {request_id}"] if request_id else []
    tail = f" ({', '.join(facts)})" if facts else ""
    return f"{source}: {message}{tail}" if source else f"{message}{tail}"
