"""Operators and conditions: exchanged, dropped, fixed to true or false, negated."""

from collections.abc import Sequence

from skygit.edits.mutations.ground import Ground
from skygit.edits.mutations.source import Source
from skygit.edits.mutations.splice import Edit

DROPPED = 0.3
"""How often an operator goes with one of its operands instead of being exchanged."""


def comparison(ground: Ground) -> Edit | None:
    """A comparison exchanged for another of its group."""
    return _exchanged(ground, ground.source.comparisons, "comparison")


def arithmetic(ground: Ground) -> Edit | None:
    """An arithmetic operator exchanged, or dropped with one operand."""
    position = ground.pick(ground.source.arithmetic)
    if position is not None and ground.rng.random() < DROPPED:
        return _dropped(ground, position, "arithmetic")
    return None if position is None else _exchanged(ground, (position,), "arithmetic")


def boolean(ground: Ground) -> Edit | None:
    """`and` and `or` exchanged or dropped with one operand, a negation removed."""
    source, rng = ground.source, ground.rng
    position = ground.pick(source.junctions + source.negations)
    if position is None:
        return None
    if position in source.negations:
        inner = source.field(position, "argument")
        return None if inner is None else ground.replace(position, source.text(inner), "boolean")
    if rng.random() < 0.5:
        return _dropped(ground, position, "boolean")
    one, other = source.grammar.junctions
    return ground.replace(position, (other if source.nodes[position].kind == one else one).encode(), "boolean")


def condition(ground: Ground) -> Edit | None:
    """A condition fixed to true or false, or negated. No loop is made endless."""
    position = ground.pick(ground.source.conditions)
    if position is None:
        return None
    table = ground.source.grammar
    choices = [table.false, table.negation.format("{}")]
    if not _keeps_looping(ground.source, position):
        choices += [table.true, table.true]
    new = ground.rng.choice((table.false, *choices)).encode()
    return ground.replace(position, new.replace(b"{}", ground.source.text(position)), "condition")


def _exchanged(ground: Ground, positions: Sequence[int], kind: str) -> Edit | None:
    position = ground.pick(positions)
    if position is None:
        return None
    token = ground.source.nodes[position].kind
    group = next(group for group in ground.source.grammar.operators if token in group)
    return ground.replace(position, ground.rng.choice([one for one in group if one != token]).encode(), kind)


def _dropped(ground: Ground, position: int, kind: str) -> Edit | None:
    """The whole expression replaced by one of its operands."""
    source = ground.source
    whole = source.nodes[position].parent
    operands = [at for at in source.nodes[whole].children if source.nodes[at].field in ("left", "right")]
    if len(operands) != 2 or source.nodes[whole].kind.endswith(("assignment", "assignment_expression")):
        return None
    return ground.replace(whole, source.text(ground.rng.choice(operands)), kind)


def _keeps_looping(source: Source, position: int) -> bool:
    nearest = next((at for at in source.above(position) if source.nodes[at].kind != "parenthesized_expression"), 0)
    return source.nodes[nearest].kind in source.grammar.loops
