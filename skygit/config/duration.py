"""Durations as people write them: 90, "90s", "2h", "1h30m"."""

import re
from typing import Final

_PART: Final = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
_UNIT: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


class Seconds(float):
    """A duration above zero, in seconds."""


def seconds(value: object) -> Seconds:
    """A number of seconds, or text like "90m". Raises ValueError for what is no duration above zero."""
    if isinstance(value, str):
        value = _parsed(value.strip())
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0:
        raise ValueError("expected a duration above zero: seconds, or text like `90s`, `15m`, `2h`, `1h30m`")
    return Seconds(value)


def _parsed(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        parts = _PART.findall(text)
        if "".join(number + unit for number, unit in parts) != text:
            return 0.0
        return sum(float(number) * _UNIT[unit] for number, unit in parts)
