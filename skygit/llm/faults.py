"""What can go wrong with one request, sorted by what to do about it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import Enum
from typing import Any

_NO_MONEY = re.compile(r"insufficient_quota|exceeded your current quota|credit balance is too low|billing", re.I)
_NO_MODEL = re.compile(
    r"LLM Provider NOT provided|model_not_found|does not exist|unknown model|invalid model|no such model", re.I
)
_NO_KEY = re.compile(
    r"missing credentials|missing [\w ]{0,30}api[ _]key|no api[ _]key|api[ _]key (?:is )?(?:not valid|invalid|missing)"
    r"|invalid api[ _]key|incorrect api[ _]key|api_key client option must be set",
    re.I,
)
_TAIL = re.compile(r",? *(?:Traceback \(most recent call last\)|Received response - <).*", re.DOTALL)
_PREFIX = re.compile(r"^(?:litellm\.\w+: ?|\w+(?:Error|Exception)(?: -|:) ?)+")
_ONE_LINE = 200
_DENIED = frozenset({402, 404})
_BUSY = frozenset({429, 503, 529})


class Kind(Enum):
    """What to do: DENIED never ask again; BUSY and DOWN wait; PARAMETER drop it; REFUSED not this request."""

    DENIED = "denied"
    BUSY = "busy"
    DOWN = "down"
    PARAMETER = "parameter"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One failed request. `wait` is what Retry-After asks, in seconds; `parameter` the one to drop,
    `keyless` whether the key is missing or wrong."""

    kind: Kind
    message: str
    wait: float | None = None
    parameter: str = ""
    replacement: str = ""
    keyless: bool = False


def fault_of(error: Exception, status: int | None, headers: Mapping[str, str], sent: Iterable[str]) -> Fault:
    """The fault behind an error of LiteLLM. `sent` are the optional parameters of the request."""
    text = str(error)
    message = one_line(text)
    if status in {401, 403} or _NO_KEY.search(text):
        return Fault(kind=Kind.DENIED, message=message, keyless=True)
    if status in _DENIED or _NO_MONEY.search(text) or (_NO_MODEL.search(text) and status in {None, 400, 422}):
        return Fault(kind=Kind.DENIED, message=message)
    if status in _BUSY:
        return Fault(kind=Kind.BUSY, message=message, wait=retry_after(headers))
    if status in {400, 422}:
        return _bad_request(text, message, sent)
    return Fault(kind=Kind.DOWN, message=message, wait=retry_after(headers))


def one_line(text: str) -> str:
    """The start of an error's text without LiteLLM's class names."""
    flat = " ".join(_TAIL.sub("", text).split())
    flat = _PREFIX.sub("", flat) or flat
    return flat if len(flat) <= _ONE_LINE else flat[: _ONE_LINE - 3] + "..."


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait by `retry-after-ms` or `Retry-After` (seconds or a date); None: not said."""
    lower = {name.lower(): value for name, value in headers.items()}
    milliseconds = _number(lower.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    value = lower.get("retry-after", "")
    seconds = _number(value)
    return seconds if seconds is not None else _until(value)


def _bad_request(text: str, message: str, sent: Iterable[str]) -> Fault:
    for name in sent:
        if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text):
            other = "max_completion_tokens" if name == "max_tokens" and "max_completion_tokens" in text else ""
            return Fault(kind=Kind.PARAMETER, message=message, parameter=name, replacement=other)
    return Fault(kind=Kind.REFUSED, message=message)


def _number(value: str) -> float | None:
    return float(value) if re.fullmatch(r"\s*\d+(\.\d*)?\s*", value) else None


def _until(value: str) -> float | None:
    try:
        when = parsedate_to_datetime(value)
    except ValueError:
        return None
    when = when if when.tzinfo is not None else when.replace(tzinfo=UTC)
    return max((when - datetime.now(UTC)).total_seconds(), 0.0)


def headers_of(holders: Iterable[Any]) -> dict[str, str]:
    """The first headers that are not empty, of the places where LiteLLM keeps them."""
    for holder in holders:
        if holder:
            return {str(name): str(value) for name, value in dict(holder).items()}
    return {}
