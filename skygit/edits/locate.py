"""The one place a hunk goes, or the reason why there is none."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from skygit.edits.blocks import Regions
from skygit.edits.evidence import decided
from skygit.edits.folding import loose
from skygit.edits.haystack import Haystack
from skygit.edits.nearest import enclosing, nearest
from skygit.edits.neutral import Carrier, Hunk
from skygit.edits.numbers import unnumbered
from skygit.edits.placing import Edit, Place, inserted
from skygit.edits.refusals import refuse
from skygit.edits.scopes import owners
from skygit.edits.tiers import placed, tiers

_ELLIPSES = frozenset({"...", "…"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """A text to place hunks in. `numbered`: line numbers of the reply speak of this text."""

    path: str
    hay: Haystack
    regions: Regions
    numbered: bool


def locate(hunk: Hunk, carrier: Carrier, ground: Ground, ordinal: int) -> tuple[Edit, ...] | None:
    """The edits of a hunk; None when its old lines are nowhere. Refuses when they are in several places."""
    if not hunk.old:
        return _anchored(hunk, ground, ordinal)
    for reading in _readings(hunk):
        places = _places(reading, carrier, ground)
        if places:
            return _decided(places, ground, ordinal).edits()
    return _numbered(hunk, ground) or _split(hunk, ground, ordinal)


def missing(hunk: Hunk, ground: Ground, ordinal: int) -> None:
    """Refuse a hunk whose old lines are nowhere."""
    line = next((row.text for row in hunk.old if not ground.hay.holds(row.text)), None)
    said = f"no line {line.strip()!r}" if line is not None else "no such run of lines"
    refuse(
        "no-match",
        f"{ground.path}: edit {ordinal} does not fit, there is {said}",
        ground.path,
        nearest([row.text for row in hunk.old], ground.hay.lines),
    )


def _readings(hunk: Hunk) -> list[Hunk]:
    """The hunk as written, and without stray blank lines at its ends."""
    trimmed = hunk.trimmed()
    return [hunk, trimmed] if trimmed.old and trimmed.rows != hunk.rows else [hunk]


def _numbered(hunk: Hunk, ground: Ground) -> tuple[Edit, ...] | None:
    """Line numbers copied into the lines: they must be right and the rest exact."""
    plain = unnumbered(hunk)
    places = _exactly(plain, ground) if plain else []
    return next((place.edits() for place in places if place.first + 1 == place.hunk.start), None)


def _places(hunk: Hunk, carrier: Carrier, ground: Ground) -> list[Place]:
    for _, tier in tiers(carrier):
        places = tier(hunk, ground.hay)
        if places:
            return places
    return []


def _decided(places: Sequence[Place], ground: Ground, ordinal: int) -> Place:
    left = list(places) if len(places) == 1 else decided(places, ground.hay, ground.regions, numbered=ground.numbered)
    if len(left) == 1:
        return left[0]
    lines = ground.hay.lines
    refuse(
        "ambiguous",
        f"{ground.path}: edit {ordinal} fits {len(places)} places, at lines "
        + ", ".join(str(place.begin + 1) for place in places[:8]),
        ground.path,
        enclosing([place.begin for place in places], lines),
    )


def _anchored(hunk: Hunk, ground: Ground, ordinal: int) -> tuple[Edit, ...]:
    """New lines without old ones: at the end if that is said, else right below the one line that is named."""
    lines = ground.hay.lines
    if not lines or hunk.at_end:
        return inserted(hunk, len(lines))
    if hunk.start == 0:
        refuse("exists", f"{ground.path} is there already", ground.path)
    if hunk.start is None and hunk.anchors:
        points = _owned(hunk, lines)
        if len(points) == 1 and _fits(hunk, lines[points[0]]):
            return inserted(hunk, points[0] + 1)
    refuse("ambiguous", f"{ground.path}: edit {ordinal} has no unchanged line that says where it goes", ground.path)


def _owned(hunk: Hunk, lines: Sequence[str]) -> list[int]:
    """The lines named by the last anchor, within the scopes of the anchors before it."""
    *outer, last = hunk.anchors
    found = owners(last, lines)
    for anchor in outer:
        spans = list(owners(anchor, lines).items())
        found = {row: end for row, end in found.items() if any(start < row < stop for start, stop in spans)}
    return list(found)


def _fits(hunk: Hunk, anchor: str) -> bool:
    """Whether the new lines can be what comes right after the anchor: its body, or its neighbours."""
    depth = len(anchor) - len(anchor.lstrip())
    first = next((row.text for row in hunk.rows if row.text.strip()), "")
    opens = loose(anchor).endswith((":", "{", "("))
    inner = len(first) - len(first.lstrip())
    return inner > depth if opens else inner == depth


def _split(hunk: Hunk, ground: Ground, ordinal: int) -> tuple[Edit, ...] | None:
    """A lone "..." between context parts the hunk; each part must stand in one place, in order."""
    parts = _parts(hunk)
    if len(parts) < 2:
        return None
    edits: list[Edit] = []
    after = -1
    for part in parts:
        places = _exactly(part, ground)
        if len(places) > 1:
            _decided(places, replace(ground, numbered=False), ordinal)
        if len(places) != 1 or places[0].begin <= after:
            return None
        edits += places[0].edits()
        after = places[0].last
    return tuple(edits)


def _parts(hunk: Hunk) -> list[Hunk]:
    cuts = [row for row, line in enumerate(hunk.rows) if line.kind == " " and line.text.strip() in _ELLIPSES]
    edges = [-1, *cuts, len(hunk.rows)]
    pieces = [hunk.rows[start + 1 : end] for start, end in pairwise(edges)]
    found = [Hunk(rows=rows).trimmed() for rows in pieces if rows]
    return found if cuts and all(part.old for part in found) else []


def _exactly(part: Hunk, ground: Ground) -> list[Place]:
    starts = ground.hay.runs([row.text for row in part.old], loose)
    return [placed(part, start) for start in starts]
