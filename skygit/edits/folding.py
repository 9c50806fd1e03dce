"""When two lines count as the same line."""

from collections.abc import Callable
from typing import Final

Key = Callable[[str], str]
_TYPOGRAPHY: Final = str.maketrans(
    {
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"'),
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", "'"),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict.fromkeys("\u00a0\u2007\u2009\u200a\u202f", " "),
    }
)


def exact(text: str) -> str:
    """The line itself."""
    return text


def loose(text: str) -> str:
    """Trailing blanks do not count."""
    return text.rstrip(" \t\r\f\v")


def plain(text: str) -> str:
    """Neither do typographic quotes, dashes and blanks differ from those on a keyboard."""
    return loose(text.translate(_TYPOGRAPHY))


def flush(text: str) -> str:
    """Nor does indentation count; what it may be is checked line by line."""
    return loose(text).lstrip(" \t")


def indent(text: str) -> str:
    """The blanks a line starts with."""
    return text[: len(text) - len(text.lstrip(" \t"))]
