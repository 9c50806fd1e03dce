"""What tells equal places apart. Each piece says yes or no; nothing is ranked, the nearest is no answer."""

from collections.abc import Sequence
from typing import Final

from skygit.edits.blocks import Regions
from skygit.edits.haystack import Haystack
from skygit.edits.placing import Place
from skygit.edits.scopes import owners

_MANY: Final = 1_000
"""Lines that one @@ text may name before it says nothing."""


def decided(places: Sequence[Place], hay: Haystack, regions: Regions, *, numbered: bool) -> list[Place]:
    """The places that all evidence agrees on. Blocks count only when nothing else speaks."""
    said = [*_numbers(places, numbered=numbered), *_anchors(places, hay), *_ends(places, hay)]
    if not said:
        inside = [place for place in places if _inside(place, regions)]
        return inside if len(inside) == 1 else list(places)
    return [place for place in places if all(place in some for some in said)]


def _numbers(places: Sequence[Place], *, numbered: bool) -> list[list[Place]]:
    start = places[0].hunk.start
    if start is None or not numbered:
        return []
    hit = [place for place in places if place.first == start - 1]
    return [hit] if hit else []


def _anchors(places: Sequence[Place], hay: Haystack) -> list[list[Place]]:
    found: list[list[Place]] = []
    for anchor in places[0].hunk.anchors:
        spans = owners(anchor, hay.lines)
        if len(spans) > _MANY:
            continue
        held = [place for place in places if _held(place, spans)]
        if held:
            found.append(held)
    return found


def _held(place: Place, spans: dict[int, int]) -> bool:
    return any(start <= place.last and place.begin < end for start, end in spans.items())


def _ends(places: Sequence[Place], hay: Haystack) -> list[list[Place]]:
    hunk = places[0].hunk
    if not hunk.at_end and not any(row.bare for row in hunk.rows):
        return []
    return [[place for place in places if place.last == len(hay.lines) - 1]]


def _inside(place: Place, regions: Regions) -> bool:
    """Whether everything the hunk would change lies where the file may change."""
    return all(
        regions.holds(edit.start) and all(regions.holds(row) for row in range(edit.start, edit.end))
        for edit in place.edits()
    )
