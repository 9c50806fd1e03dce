"""What the node kinds of a grammar mean to the operators."""

from collections.abc import Mapping
from dataclasses import dataclass, field

Groups = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """Node kinds by meaning. Kinds a language lacks are simply not met.

    `named` maps a kind that gives a value a name to the fields of name and value.
    `braces`: blocks are delimited by tokens, so indentation has no meaning. `binding` writes a
    new local name with a value, "" where that needs a type. `loose` kinds are no statements to move.
    `fractions`: numbers have no types that tell whole ones from fractions.
    """

    numbers: frozenset[str] = frozenset()
    true: str = "true"
    false: str = "false"
    empty: str = ";"
    negation: str = "!({})"
    braces: bool = True
    blocks: frozenset[str] = frozenset()
    loose: frozenset[str] = frozenset()
    scopes: frozenset[str] = frozenset()
    loops: frozenset[str] = frozenset()
    operators: Groups = ()
    junctions: tuple[str, str] = ("&&", "||")
    negated: frozenset[str] = frozenset()
    calls: frozenset[str] = frozenset()
    casts: frozenset[str] = frozenset()
    named: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    binding: str = ""
    fractions: bool = False
    sums: frozenset[str] = frozenset(("binary_operator", "binary_expression"))
    truths: frozenset[str] = frozenset(("true", "false"))
    attributes: frozenset[str] = frozenset(("attribute", "member_expression"))

    def places(self) -> dict[str, str]:
        """The family of places each node kind belongs to; kinds of no family are absent."""
        return {kind: place for place, kinds in reversed(self._families()) for kind in kinds}

    def _families(self) -> tuple[tuple[str, frozenset[str]], ...]:
        return (
            ("numbers", self.numbers),
            ("truths", self.truths),
            ("loops", self.loops),
            ("calls", self.calls),
            ("casts", self.casts),
            ("negations", self.negated),
            ("attributes", self.attributes),
        )


COMPARISONS: Groups = (("<", "<=", ">", ">="), ("==", "!="), ("===", "!=="), ("is", "is not"), ("in", "not in"))
ARITHMETIC: Groups = (("+", "-"), ("*", "/"), ("&", "|", "^"), ("<<", ">>"), ("+=", "-="), ("*=", "/="))
PYTHON_ARITHMETIC: Groups = (
    ("+", "-"),
    ("*", "/", "//", "**"),
    ("&", "|", "^"),
    ("<<", ">>"),
    ("+=", "-="),
    ("*=", "/="),
)
