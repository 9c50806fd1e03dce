"""The text of a file as lines that remember their ends, so that untouched bytes stay as they are."""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

BOM: Final = "\ufeff"
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line and its end: "\\n", "\\r\\n", or "" for a last line that has none."""

    text: str
    end: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A file. Bytes that are not UTF-8 are carried by surrogateescape; a BOM stands apart."""

    bom: str
    lines: tuple[Line, ...]

    def encoded(self) -> bytes:
        """The bytes of the file."""
        return encoded(self.bom + "".join(line.text + line.end for line in self.lines))

    @property
    def newline(self) -> str:
        """The line end most lines have; "\\n" when there is none."""
        ends = Counter(line.end for line in self.lines if line.end)
        return max(ends, key=lambda end: (ends[end], end == "\n")) if ends else "\n"


def split(data: bytes) -> Text:
    """The lines of a file, split at LF only: a form feed or U+2028 is text."""
    whole = decoded(data)
    bom = BOM if whole.startswith(BOM) else ""
    return Text(bom=bom, lines=tuple(_line(part) for part in _LINE.findall(whole[len(bom) :])))


def decoded(data: bytes) -> str:
    """UTF-8, with foreign bytes as surrogates."""
    return data.decode("utf-8", "surrogateescape")


def encoded(text: str) -> bytes:
    """The inverse of `decoded`."""
    return text.encode("utf-8", "surrogateescape")


def binary(data: bytes) -> bool:
    """Whether this is no text: a NUL byte anywhere."""
    return b"\0" in data


def _line(part: str) -> Line:
    if part.endswith("\r\n"):
        return Line(text=part[:-2], end="\r\n")
    return Line(text=part[:-1], end="\n") if part.endswith("\n") else Line(text=part, end="")
