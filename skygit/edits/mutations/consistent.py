"""One idea at all its places: the same named value, statement or condition, across files."""

from collections.abc import Callable, Iterator, Sequence

from skygit.edits.mutations.constants import fitted, turned
from skygit.edits.mutations.ground import Ground, shown
from skygit.edits.mutations.numerals import moved
from skygit.edits.mutations.source import Place, Source
from skygit.edits.mutations.splice import Edit, Splice
from skygit.edits.mutations.statements import removal

TELLING = 12
"""The fewest bytes a statement or condition must have to be one idea where it is repeated."""


def consistent(ground: Ground) -> Edit | None:
    """The same change wherever the same thing is said, in this file and in others in scope."""
    ways = (_values, _values, _deletions, _conditions)
    return ground.rng.choice(ways)(ground)


def _values(ground: Ground) -> Edit | None:
    """All places that give one name one value give it another: a constant, a keyword, a default."""
    source = ground.source
    named = [at for at in source.numbers + source.truths if source.label(at)]
    if not named:
        return None
    first = ground.rng.choice(named)
    label, text = source.label(first), source.text(first)
    new = _another(ground, first)
    places = list(_everywhere(ground, label, lambda one: _labelled(one, label, text)))
    if new is None or len(places) < 2:
        return None
    splices = [_put(one, at, fitted(one, at, new)) for one, at in places]
    return _told(ground, splices, f"{shown(label)} {shown(text)} -> {new}")


def _deletions(ground: Ground) -> Edit | None:
    """A statement repeated word for word is deleted everywhere."""
    source, first = ground.source, ground.pick(ground.source.statements)
    if first is None or len(source.text(first)) < TELLING:
        return None
    text = source.text(first)
    places = list(_everywhere(ground, text, lambda one: _saying(one, one.statements, text)))
    if len(places) < 2:
        return None
    return _told(ground, [removal(one, at) for one, at in places], f"deleted {shown(text)}")


def _conditions(ground: Ground) -> Edit | None:
    """A condition repeated word for word is fixed to true or false everywhere it guards a branch."""
    source, first = ground.source, ground.pick(ground.source.conditions)
    if first is None or len(source.text(first)) < TELLING:
        return None
    text, table = source.text(first), source.grammar
    new = ground.rng.choice((table.true, table.false))
    places = list(_everywhere(ground, text, lambda one: _saying(one, one.conditions, text)))
    if len(places) < 2 or any(_loops(one, at) for one, at in places):
        return None
    return _told(ground, [_put(one, at, new.encode()) for one, at in places], f"{shown(text)} -> {new}")


def _everywhere(ground: Ground, word: bytes, find: Callable[[Source], Sequence[int]]) -> Iterator[Place]:
    for one in (ground.source, *ground.around.near(ground.source.path, word)):
        if one.grammar is ground.source.grammar:
            yield from ((one, at) for at in find(one))


def _labelled(source: Source, label: bytes, text: bytes) -> Sequence[int]:
    values = source.numbers + source.truths
    return [at for at in values if source.text(at) == text and source.label(at) == label]


def _saying(source: Source, positions: Sequence[int], text: bytes) -> Sequence[int]:
    return [at for at in positions if source.text(at) == text]


def _another(ground: Ground, position: int) -> str | None:
    if position in ground.source.truths:
        return turned(ground.source, position).decode()
    return moved(ground.source.text(position).decode("latin-1").strip(), ground.rng, 2 * ground.spread)


def _loops(source: Source, position: int) -> bool:
    above = [source.nodes[at].kind for at in source.above(position)][:2]
    return any(kind in source.grammar.loops for kind in above)


def _put(source: Source, position: int, new: bytes) -> Splice:
    node = source.nodes[position]
    return Splice(path=source.path, start=node.start, end=node.end, new=new)


def _told(ground: Ground, splices: Sequence[Splice], change: str) -> Edit | None:
    files = len({splice.path for splice in splices})
    spread = (
        f"{len(splices)} places in {files} files" if files > 1 else f"{len(splices)} places of {ground.source.path}"
    )
    return Edit(splices=tuple(splices), what=f"{change} at {spread} (consistent)", kind="consistent")
