"""Numbers in JSON that nobody vouches for."""

import json
import math
from collections.abc import Mapping
from typing import Any

_TAIL = 1 << 18
_MOST = 256
_LONGEST_NAME = 100
_DECODER = json.JSONDecoder()


def as_number(value: Any) -> float | None:
    """A number as a float, also when it is not finite; None for all else, truth values and texts too."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return math.inf


def numbers_of(values: Mapping[str, Any]) -> dict[str, float]:
    """The finite numbers of a mapping by name, at most 256 of them."""
    found = {name: as_number(value) for name, value in values.items() if len(name) <= _LONGEST_NAME}
    finite = [(name, number) for name, number in found.items() if number is not None and math.isfinite(number)]
    return dict(finite[:_MOST])


def json_of(text: str) -> Any:
    """The JSON value a text spells; the text itself when it spells none."""
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        return text


def last_object(text: str) -> str:
    """The last outermost JSON object in a text; "" when there is none. Looks at the last 256 KB."""
    text = text[-_TAIL:]
    found, at = "", text.find("{")
    while at >= 0:
        end, whole = _object_at(text, at)
        if whole:
            found = text[at:end]
        at = text.find("{", end)
    return found


def _object_at(text: str, at: int) -> tuple[int, bool]:
    """Where to look on, and whether an object ended there. Hopelessly nested lines are skipped whole."""
    try:
        return _DECODER.raw_decode(text, at)[1], True
    except ValueError:
        return at + 1, False
    except RecursionError:
        newline = text.find("\n", at)
        return (newline if newline >= 0 else len(text)), False
