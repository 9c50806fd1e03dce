"""The tiers: ever looser ways in which a hunk's old lines may stand in a file. The first with a place decides."""

from collections.abc import Callable, Sequence
from typing import Final

from skygit.edits.folding import Key, exact, flush, loose, plain
from skygit.edits.haystack import Haystack
from skygit.edits.indents import shift
from skygit.edits.neutral import Carrier, Hunk, Row
from skygit.edits.placing import Place

Tier = Callable[[Hunk, Haystack], list[Place]]
_DROPS: Final = 2
"""Context lines that may be given up at each end."""


def tiers(carrier: Carrier) -> Sequence[tuple[str, Tier]]:
    """The tiers that apply to edits of a carrier, in order."""
    return [(name, tier) for name, carriers, tier in _LADDER if not carriers or carrier in carriers]


def placed(hunk: Hunk, start: int, texts: Sequence[str] | None = None) -> Place:
    """The hunk with its old rows on consecutive lines."""
    at: list[int | None] = []
    for row in hunk.rows:
        at.append(None if row.kind == "+" else start)
        start += row.kind != "+"
    return Place(hunk=hunk, at=tuple(at), added=tuple(_new(hunk)) if texts is None else tuple(texts))


def _equal(key: Key) -> Tier:
    def find(hunk: Hunk, hay: Haystack) -> list[Place]:
        return [placed(hunk, start) for start in hay.runs([row.text for row in hunk.old], key)]

    return find


def _readings(hunk: Hunk, hay: Haystack) -> list[Place]:
    """Context lines may have lost their prefix, so that their first blank is text."""
    old = hunk.old
    sure = [row for row in range(len(old)) if old[row].text == old[row].literal]
    if not sure or len(sure) == len(old):
        texts = [row.literal for row in old]
        return [placed(hunk, start) for start in hay.runs(texts, loose)] if len(sure) < len(old) else []
    rarest = min(sure, key=lambda row: (not old[row].text.strip(), len(hay.positions(old[row].text, loose))))
    starts = [line - rarest for line in hay.positions(old[rarest].text, loose)]
    return [placed(hunk, start) for start in starts if _reads(old, start, hay)]


def _reads(old: Sequence[Row], start: int, hay: Haystack) -> bool:
    if start < 0 or start + len(old) > len(hay.lines):
        return False
    for offset, row in enumerate(old):
        hay.spend(1)
        if loose(hay.lines[start + offset]) not in (loose(row.text), loose(row.literal)):
            return False
    return True


def _shifted(hunk: Hunk, hay: Haystack) -> list[Place]:
    """All old lines are indented differently, by one and the same change."""
    old = [row.text for row in hunk.old]
    found: list[Place] = []
    for start in hay.runs(old, flush):
        hay.spend(len(old))
        change = shift(list(zip(old, hay.lines[start : start + len(old)], strict=True)))
        texts = [change(text) for text in _new(hunk)] if change else [None]
        if change and None not in texts:
            found.append(placed(hunk, start, [text for text in texts if text is not None]))
    return found


def _skipping(hunk: Hunk, hay: Haystack) -> list[Place]:
    """Blank lines and markers of the file were left out between lines of context."""
    markers = {loose(hay.lines[row]) for row in hay.marker_rows}
    firm = [row.text for row in hunk.old if row.text.strip() and not (row.kind == " " and loose(row.text) in markers)]
    if len(firm) < 3 or not hunk.old[0].text.strip() or loose(hunk.old[0].text) in markers:
        return []
    found = (_walked(hunk, start, hay) for start in hay.dense_runs(firm))
    return [place for place in found if place is not None]


def _walked(hunk: Hunk, line: int, hay: Haystack) -> Place | None:
    at: list[int | None] = []
    before = ""
    for row in hunk.rows:
        if row.kind == "+":
            at.append(None)
        else:
            while before == " " == row.kind and line < len(hay.lines) and not _same(row, line, hay) and hay.skips(line):
                line += 1
            if line >= len(hay.lines) or not _same(row, line, hay):
                return None
            at.append(line)
            line += 1
        before = row.kind
    return Place(hunk=hunk, at=tuple(at), added=tuple(_new(hunk)))


def _same(row: Row, line: int, hay: Haystack) -> bool:
    hay.spend(1)
    return loose(row.text) == loose(hay.lines[line])


def _dropping(hunk: Hunk, hay: Haystack) -> list[Place]:
    """The outermost context is misquoted. The fewest lines given up decide."""
    if not hunk.removes:
        return []
    for total in range(1, 2 * _DROPS + 1):
        found: dict[tuple[object, ...], Place] = {}
        for lead in range(max(total - _DROPS, 0), min(total, _DROPS) + 1):
            for place in _without(hunk, lead, total - lead, hay):
                found.setdefault(place.edits(), place)
        if found:
            return list(found.values())
    return []


def _without(hunk: Hunk, lead: int, trail: int, hay: Haystack) -> list[Place]:
    rows = hunk.rows
    cut = [*rows[:lead], *rows[len(rows) - trail :]]
    kept = hunk.old[lead : len(hunk.old) - trail]
    firm = [row.text.strip() for row in kept if row.text.strip()]
    if any(row.kind != " " for row in cut) or len(firm) < 2 or sum(map(len, firm)) < 20:
        return []
    if any(_elsewhere(row, hay) for row in rows[:lead]):
        return []
    inner = Hunk(rows=rows[lead : len(rows) - trail])
    found = (placed(inner, start) for start in hay.runs([row.text for row in kept], loose))
    return [Place(hunk=hunk, at=(*[None] * lead, *place.at, *[None] * trail), added=place.added) for place in found]


def _elsewhere(row: Row, hay: Haystack) -> bool:
    """Whether a line of leading context stands somewhere else: then it is not misquoted, the place is."""
    return any(letter.isalnum() for letter in row.text) and hay.holds(row.text)


def _new(hunk: Hunk) -> list[str]:
    return [row.text for row in hunk.rows if row.kind == "+"]


_LADDER: Final[tuple[tuple[str, tuple[Carrier, ...], Tier], ...]] = (
    ("exact", (), _equal(exact)),
    ("trailing blanks", (), _equal(loose)),
    ("typography", (), _equal(plain)),
    ("lost prefixes", ("unified", "envelope"), _readings),
    ("indentation", (), _shifted),
    ("skipped lines", (), _skipping),
    ("dropped context", ("unified",), _dropping),
)
