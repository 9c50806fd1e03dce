"""All operator kinds, and the choice among them: optimistic about what has gained."""

from collections.abc import Collection, Mapping
from random import Random
from typing import Final

from skygit.domain.brief import Credit
from skygit.domain.request import Tactic
from skygit.edits.mutations.consistent import consistent
from skygit.edits.mutations.constants import alike, constant, constants, truth
from skygit.edits.mutations.graft import graft
from skygit.edits.mutations.ground import Operator
from skygit.edits.mutations.logic import arithmetic, boolean, comparison, condition
from skygit.edits.mutations.refactor import hoist, unwrap
from skygit.edits.mutations.statements import copy, delete, move, replace, swap

OPERATORS: Final[Mapping[str, Operator]] = {
    "constant": constant,
    "constants": constants,
    "alike": alike,
    "truth": truth,
    "comparison": comparison,
    "arithmetic": arithmetic,
    "boolean": boolean,
    "condition": condition,
    "delete": delete,
    "swap": swap,
    "copy": copy,
    "move": move,
    "replace": replace,
    "hoist": hoist,
    "unwrap": unwrap,
    "consistent": consistent,
    "graft": graft,
}

WEIGHTS: Final[Mapping[str, float]] = {
    "constant": 6.0,
    "constants": 2.0,
    "alike": 2.0,
    "truth": 1.0,
    "comparison": 1.0,
    "arithmetic": 1.0,
    "boolean": 1.0,
    "condition": 2.0,
    "delete": 3.0,
    "swap": 1.0,
    "copy": 0.5,
    "move": 0.5,
    "replace": 0.5,
    "hoist": 1.0,
    "unwrap": 1.0,
    "consistent": 2.0,
    "graft": 2.0,
}
"""How often each kind is drawn before anything is known."""

EMPHASIS: Final = 4.0
"""What a tactic that names a kind multiplies its weight by."""
PRIOR: Final = 8.0
"""How many tries the belief before the first try is worth."""
HOPE: Final = 0.1
"""The share of tries that gain, believed before the first try."""


FAMILIES: Final = (
    ("constant", "constants", "alike", "truth"),
    ("comparison", "arithmetic", "boolean", "condition"),
    ("delete", "swap", "copy", "move", "replace"),
    ("hoist", "unwrap"),
    ("consistent",),
    ("graft",),
)
"""Kinds that are alike: what one of them gained is evidence for the others."""


def choose(weights: Mapping[str, float], credits: Mapping[str, Credit], floor: float, rng: Random) -> str:
    """A kind drawn by its weight times the beliefs in its family's and its own gains per try.

    A belief is a draw from Beta(gains + PRIOR HOPE, tries - gains + PRIOR (1 - HOPE)), so what
    was tried little is still hoped for (Thompson sampling). With probability `floor` the
    weights alone decide: no kind is given up.
    """
    if rng.random() < floor:
        return rng.choices(list(weights), list(weights.values()))[0]
    shares = {
        kind: family * _belief(credits.get(kind, Credit()), rng) * weights[kind]
        for kinds in FAMILIES
        for family in (_belief(_pooled(kinds, credits), rng),)
        for kind in kinds
    }
    return rng.choices(list(shares), list(shares.values()))[0]


HINTS: Final[Mapping[str, tuple[str, ...]]] = {
    "small": ("constant", "constants", "alike"),
    "several": ("constants", "alike", "consistent"),
    "together": ("constants", "alike", "consistent"),
    "anew": ("replace", "copy", "move", "delete", "swap"),
    "simplify": ("delete", "unwrap", "condition", "hoist"),
}
"""What words of a tactic mean beside the kinds' own names."""


def weighed(weights: Mapping[str, float], tactics: Collection[Tactic]) -> dict[str, float]:
    """The default weights under the user's, with the kinds that tactics name emphasised."""
    words = {word for tactic in tactics for word in _words(f"{tactic.name} {tactic.text}")}
    meant = words | {kind for word in words for kind in HINTS.get(word, ())}
    base = {**WEIGHTS, **weights}
    return {kind: base[kind] * (EMPHASIS if kind in meant else 1.0) for kind in OPERATORS}


def _pooled(kinds: Collection[str], credits: Mapping[str, Credit]) -> Credit:
    known = [credits[kind] for kind in kinds if kind in credits]
    return Credit(tries=sum(one.tries for one in known), gains=sum(one.gains for one in known))


def _belief(credit: Credit, rng: Random) -> float:
    missed = max(credit.tries - credit.gains, 0)
    return rng.betavariate(credit.gains + PRIOR * HOPE, missed + PRIOR * (1 - HOPE))


def _words(text: str) -> set[str]:
    return set("".join(letter if letter.isalpha() else " " for letter in text.lower()).split())
