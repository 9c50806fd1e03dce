"""Numbers and truth values: one moved, several moved together, equal ones moved alike."""

import math
from collections.abc import Sequence

from skygit.edits.mutations.ground import Ground
from skygit.edits.mutations.numerals import moved, scaled
from skygit.edits.mutations.source import Source
from skygit.edits.mutations.splice import Edit, Splice

STRIDES = (1.0, 0.2)
"""Shares of the spread a move may have: the whole, or fine."""
PASSED_OVER = 0.8
"""How often another number is drawn in place of an index."""
LOOSENED = 0.2
"""How often a whole number in continuous arithmetic becomes a fraction."""


def constant(ground: Ground) -> Edit | None:
    """One number moved on a log scale."""
    position = _number(ground)
    if position is None:
        return None
    new = _moved(ground, position, ground.spread * ground.rng.choice(STRIDES))
    return None if new is None else ground.replace(position, fitted(ground.source, position, new), "constant")


def constants(ground: Ground) -> Edit | None:
    """Two to five numbers of one function moved together, each in its own way."""
    first = _number(ground)
    if first is None:
        return None
    home = ground.source.scope(first)
    mates = [at for at in ground.source.numbers if ground.source.scope(at) == home and not _counts(ground.source, at)]
    chosen = sorted(ground.rng.sample(mates, min(len(mates), ground.rng.randint(2, 5))))
    spread = ground.spread * ground.rng.choice(STRIDES)
    news = [(at, _moved(ground, at, spread)) for at in chosen]
    return _together(ground, [(at, new) for at, new in news if new is not None], "constants")


def alike(ground: Ground) -> Edit | None:
    """All numbers that read the same in a statement, a function or a file, moved by one factor."""
    first = _number(ground)
    if first is None:
        return None
    source, text = ground.source, _numeral(ground.source, first)
    reach = ground.rng.choice((source.statement, source.scope, lambda _: 0))
    home = reach(first)
    mates = [at for at in source.numbers if _numeral(source, at) == text and reach(at) == home]
    new = scaled(text, math.exp(ground.rng.gauss(0.0, ground.spread * ground.rng.choice(STRIDES))))
    if new is None or len(mates) < 2:
        return None
    return _together(ground, [(at, new) for at in mates], "alike")


def truth(ground: Ground) -> Edit | None:
    """A truth value turned over."""
    position = ground.pick(ground.source.truths)
    return None if position is None else ground.replace(position, turned(ground.source, position), "truth")


def turned(source: Source, position: int) -> bytes:
    """The other truth value, as the file writes it."""
    text = source.text(position)
    return {b"True": b"False", b"False": b"True", b"true": b"false", b"false": b"true"}.get(text, text)


def fitted(source: Source, position: int, new: str) -> bytes:
    """A numeral as it may stand here: a sign after a sign needs parentheses."""
    before = source.data[: source.nodes[position].start].rstrip()[-1:]
    return (f"({new})" if new.startswith("-") and before in (b"-", b"+") else new).encode()


def _number(ground: Ground) -> int | None:
    """A number; an index or a count of turns is passed over most of the time: moving it mostly breaks."""
    position = ground.pick(ground.source.numbers)
    if position is not None and _counts(ground.source, position) and ground.rng.random() < PASSED_OVER:
        position = ground.pick(ground.source.numbers)
    return position


def _counts(source: Source, position: int) -> bool:
    for at in list(source.above(position))[:3]:
        if "subscript" in source.nodes[at].kind or source.text(at).startswith(b"range("):
            return True
    return False


def _moved(ground: Ground, position: int, spread: float) -> str | None:
    """A number's move; a whole number that is only reckoned with may become a fraction."""
    text = _numeral(ground.source, position)
    if text.isdigit() and _reckoned(ground.source, position) and ground.rng.random() < LOOSENED:
        text += ".0"
    return moved(text, ground.rng, spread)


def _reckoned(source: Source, position: int) -> bool:
    """Whether a number is an operand of continuous arithmetic, and no index or count."""
    above = [source.nodes[at] for at in source.above(position)][:4]
    if not source.grammar.fractions or above[0].kind not in source.grammar.sums:
        return False
    tokens = [source.nodes[at].kind for at in above[0].children if not source.nodes[at].named]
    return tokens[0] in ("+", "-", "*", "/", "**") and not any("subscript" in node.kind for node in above)


def _numeral(source: Source, position: int) -> str:
    return source.text(position).decode("latin-1").strip()


def _together(ground: Ground, news: Sequence[tuple[int, str]], kind: str) -> Edit | None:
    source = ground.source
    changed = [(at, new) for at, new in news if new != _numeral(source, at)]
    if len(changed) < 2:
        return None
    splices: list[Splice] = [ground.put(at, fitted(source, at, new)) for at, new in changed]
    told = ", ".join(f"{_numeral(source, at)} -> {new}" for at, new in changed[:3])
    more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
    return Edit(splices=tuple(splices), what=f"{source.where(changed[0][0])} {told}{more} ({kind})", kind=kind)
