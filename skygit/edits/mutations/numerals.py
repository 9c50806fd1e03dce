"""Numeric literals: read, moved on a log scale, written as the same kind of literal."""

import math
import re
from random import Random

_NUMERAL = re.compile(
    r"(?P<digits>0[xX][0-9a-fA-F]+|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)(?P<tail>[uUlLfFn]*|[uif](?:8|16|32|64|128|size))"
)
FLIPPED = 0.04
"""How often a move changes the sign instead of the size."""
DIGITS = 5
"""Significant digits of a moved decimal fraction."""


def moved(text: str, rng: Random, spread: float) -> str | None:
    """Another literal near `text`: times exp(N(0, spread)); None when it is no plain numeral.

    Integers stay integers and always move by one at least; zero moves to a small number of
    its own kind, and now and then the sign turns.
    """
    match = _NUMERAL.fullmatch(text.replace("_", ""))
    if match is None or _is_octal(match["digits"]):
        return None
    digits, tail = match["digits"], match["tail"]
    if digits[:2] in ("0x", "0X"):
        return f"{_moved_whole(int(digits, 16), rng, spread):#x}{tail}"
    if digits.isdigit():
        return f"{_moved_whole(int(digits), rng, spread)}{tail}"
    return f"{_moved_fraction(float(digits), rng, spread)}{tail}"


def scaled(text: str, factor: float) -> str | None:
    """The literal times a factor, None when it is no plain numeral or does not change."""
    match = _NUMERAL.fullmatch(text.replace("_", ""))
    if match is None or _is_octal(match["digits"]) or match["digits"][:2] in ("0x", "0X"):
        return None
    digits, tail = match["digits"], match["tail"]
    new = str(_round(int(digits) * factor)) if digits.isdigit() else written(float(digits) * factor)
    return None if new == digits else f"{new}{tail}"


def written(value: float) -> str:
    """A finite decimal fraction as a literal that stays one: it keeps a point or an exponent."""
    text = f"{value:.{DIGITS}g}"
    return text if any(mark in text for mark in ".e") else f"{text}.0"


def _is_octal(digits: str) -> bool:
    return digits.isdigit() and len(digits) > 1 and digits[0] == "0"


def _moved_whole(value: int, rng: Random, spread: float) -> int:
    if value == 0:
        return rng.choice((1, 1, 2, -1))
    if value < 1 << 53 and rng.random() >= FLIPPED:
        new = _round(value * math.exp(rng.gauss(0.0, spread)))
        return new if new != value else max(value + rng.choice((-1, 1)), 0)
    return -value if value < 1 << 53 else value + rng.choice((-1, 1))


def _moved_fraction(value: float, rng: Random, spread: float) -> str:
    if value == 0.0:
        return written(rng.choice((-1, 1)) * 10.0 ** rng.uniform(-3.0, 0.0))
    if rng.random() < FLIPPED:
        return written(-value)
    new = value * math.exp(rng.gauss(0.0, spread))
    return written(new if math.isfinite(new) else value / 2)


def _round(value: float) -> int:
    return math.floor(value + 0.5) if math.isfinite(value) else 0
