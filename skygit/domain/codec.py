"""Events as JSON and back.

The text is one line of ASCII per list of events, keys in field order, so equal events give
equal bytes. `facts` drops the observations: two runs agree when their facts do.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from skygit.domain.event import SCHEMA, Event, Started
from skygit.errors import RepositoryError

_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(list[Event])


def encode(events: Sequence[Event]) -> str:
    """The events of one append, as one line. Text that is no Unicode (odd paths) is written with escapes."""
    try:
        return _ENCODER.encode(list(events)).decode()
    except UnicodeEncodeError:
        return _ENCODER.encode(_speakable(msgspec.to_builtins(list(events)))).decode()


def _speakable(plain: Any) -> Any:
    match plain:
        case str():
            return plain.encode("utf-8", "backslashreplace").decode()
        case dict():
            return {_speakable(key): _speakable(value) for key, value in plain.items()}
        case list() | tuple():
            return [_speakable(item) for item in plain]
        case _:
            return plain


def decode(text: str | bytes) -> list[Event]:
    """The events of one append. Raises RepositoryError when they are of another schema or damaged."""
    try:
        events = _DECODER.decode(text)
    except msgspec.DecodeError as error:
        raise _unreadable(text, error) from error
    if events and isinstance(events[0], Started) and events[0].schema != SCHEMA:
        raise _foreign(events[0].schema)
    return events


def facts(events: Iterable[Event]) -> list[dict[str, Any]]:
    """The events without what was merely observed, as plain data."""
    plain = [msgspec.to_builtins(event) for event in events]
    return [{key: value for key, value in event.items() if key != "seen"} for event in plain]


def _unreadable(text: str | bytes, error: Exception) -> RepositoryError:
    schema = _schema_of(text)
    if schema is not None and schema != SCHEMA:
        return _foreign(schema)
    return RepositoryError(f"an event of the journal cannot be read: {error}")


def _foreign(schema: int) -> RepositoryError:
    return RepositoryError(f"the journal has schema {schema}, this skygit reads {SCHEMA}: use the one that wrote it")


def _schema_of(text: str | bytes) -> int | None:
    try:
        first = msgspec.json.decode(text)[0]
        return int(first["schema"])
    except (msgspec.DecodeError, LookupError, TypeError, ValueError):
        return None
