"""Files as a prompt shows them: whole, in excerpts, or as an outline, each labelled outside its listing."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from random import Random
from typing import cast

from skygit.domain.draft import Refusal
from skygit.edits.blocks import Regions, regions
from skygit.ports import Outlined, Syntax
from skygit.prompts.budget import tokens
from skygit.prompts.text import decoded, fenced, is_secret, quoted

_AROUND = 3
"""Lines shown around a block, so that a change at its edge has context."""
_HEAD = 30
"""Lines of the start of a file, where it says what it uses."""
_WINDOW = 60
_REMEMBERED = 400
"""Files kept, of at most this many bytes:"""
_LARGE = 65536
_MOST_MISSES = 6
"""Pieces in a row that do not fit before no more are tried."""
_SMALLEST = 120
"""Tokens below which an excerpt is not worth its heading."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """One text file of the parent. `editable` by the scope; `blocks` are rows (first, last) of what may
    change in a file with markers, None in a file without; `broken` says what is wrong with its markers.

    Texts and outline are made when first asked for and kept: most files stay alike from prompt to prompt.
    """

    path: str
    data: bytes = field(repr=False)
    text: str = field(repr=False)
    editable: bool
    blocks: tuple[tuple[int, int], ...] | None
    broken: str
    syntax: Syntax = field(repr=False)

    @cached_property
    def whole(self) -> str:
        """The file in full."""
        return f"{self.heading()}\n{fenced(self.text, self.syntax.language(self.path))}\n"

    @cached_property
    def outlined(self) -> str:
        """The definitions of the file, one line each; "" when its language is not known."""
        lines = "\n".join(f"{'  ' * entry.depth}{entry.line.strip()}" for entry in self.outline)
        return f"{self.heading('outline')}\n{fenced(lines, self.syntax.language(self.path))}\n" if lines else ""

    @cached_property
    def cost(self) -> int:
        """Tokens of the file in full."""
        return tokens(self.whole)

    @cached_property
    def outline(self) -> Sequence[Outlined]:
        """The definitions in the file."""
        return self.syntax.outline(self.path, self.data)

    @property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    def heading(self, what: str = "") -> str:
        """The line above the listing: the path, what is shown, what may change."""
        return f"### {quoted(self.path)}{f' ({what})' if what else ''}: {self._label()}"

    def _label(self) -> str:
        if not self.editable or self.broken:
            return f"read-only{f', {self.broken}' if self.broken else ''}"
        if self.blocks is None:
            return "may change anywhere"
        held = "; ".join(_held(self, block) for block in self.blocks)
        return f"may change only inside its blocks, the rest is frozen. Blocks: {held}"


class Sources:
    """Opens files; remembers the last ones by their content. Safe to share between threads."""

    def __init__(self, secrets: Sequence[str] = ()) -> None:
        self._secrets = tuple(secrets)
        self._made = lru_cache(maxsize=_REMEMBERED)(self._make)

    def open(self, path: str, data: bytes, syntax: Syntax, *, editable: bool) -> Source | None:
        """A file of the parent; None when it is no text, or must not be shown."""
        if len(data) > _LARGE:
            return self._make(path, data, syntax, editable)
        return self._made(path, data, cast(Hashable, syntax), editable)

    def _make(self, path: str, data: bytes, syntax: Syntax, editable: bool, /) -> Source | None:
        text = None if is_secret(path, data, self._secrets) else decoded(data)
        if text is None:
            return None
        found = regions(path, data, syntax)
        return Source(
            path=path,
            data=data,
            text=text,
            editable=editable,
            blocks=None if isinstance(found, Refusal) or not found.marked else _rows(found),
            broken=f"its markers are broken ({found.message})" if isinstance(found, Refusal) else "",
            syntax=syntax,
        )


def _rows(found: Regions) -> tuple[tuple[int, int], ...]:
    return tuple((block.row, block.end_row) for block in found.blocks)


def excerpt(file: Source, limit: int, hints: str, seed: int) -> str:
    """As much of a file as fits `limit` tokens: its start, its blocks, else the definitions that `hints`
    name and others from a drawn start. "" when not even one piece fits."""
    chosen: list[tuple[int, int]] = []
    best, misses = "", 0
    if limit < _SMALLEST:
        return best
    for rows in _candidates(file, hints, seed):
        attempt = _pieces(file, _merged([*chosen, rows]))
        if tokens(attempt) <= limit:
            chosen, best, misses = [*chosen, rows], attempt, 0
        else:
            misses += 1
        if misses == _MOST_MISSES:
            break
    return best


def _candidates(file: Source, hints: str, seed: int) -> Iterator[tuple[int, int]]:
    last = len(file.lines) - 1
    if file.blocks is not None and file.editable:
        yield from ((max(first - _AROUND, 0), min(end + _AROUND, last)) for first, end in file.blocks)
        return
    yield 0, min(_HEAD, last)
    definitions = [entry for entry in file.outline if entry.end_row - entry.row < last]
    named = [entry for entry in definitions if entry.name and entry.name in hints]
    start = Random(seed).randrange(len(definitions)) if definitions else 0
    for entry in (*named, *definitions[start:], *definitions[:start]):
        yield entry.row, min(entry.end_row, last)
    if not definitions:
        yield from _windows(last, seed)


def _windows(last: int, seed: int) -> Iterator[tuple[int, int]]:
    starts = list(range(0, last + 1, _WINDOW))
    turn = Random(seed).randrange(len(starts))
    for start in (*starts[turn:], *starts[:turn]):
        yield start, min(start + _WINDOW - 1, last)


def _merged(ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(last, merged[-1][1])
        else:
            merged.append((first, last))
    return merged


def _pieces(file: Source, ranges: Sequence[tuple[int, int]]) -> str:
    lines, parts, shown = file.lines, [file.heading("in excerpts")], 0
    for first, last in ranges:
        if first > shown:
            parts.append(f"({first - shown} lines are not shown here)")
        parts.append(fenced("\n".join(lines[first : last + 1]), file.syntax.language(file.path)))
        shown = last + 1
    left = len(lines) - shown - (1 if lines[-1] == "" else 0)
    if left > 0:
        parts.append(f"({left} lines are not shown here)")
    return "\n".join(parts) + "\n"


def _held(file: Source, block: tuple[int, int]) -> str:
    names = [entry.name for entry in file.outline if block[0] <= entry.row <= block[1] and entry.name][:6]
    opening = file.lines[block[0]].strip() if block[0] < len(file.lines) else ""
    return f"`{opening}` ({', '.join(names)})" if names else f"`{opening}`"
