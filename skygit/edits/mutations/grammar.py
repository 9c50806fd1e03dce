"""What the node kinds of a grammar mean to the operators. A language is one table."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

Groups = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """Node kinds by meaning. Kinds a language lacks are simply not met.

    `named` maps a kind that gives a value a name to the fields of name and value.
    `braces`: blocks are delimited by tokens, so indentation has no meaning. `binding` writes a
    new local name with a value, "" where that needs a type. `loose` kinds are no statements to move.
    `fractions`: numbers have no types that tell whole ones from fractions.
    """

    numbers: frozenset[str]
    true: str
    false: str
    empty: str
    negation: str
    braces: bool
    blocks: frozenset[str]
    loose: frozenset[str]
    scopes: frozenset[str]
    loops: frozenset[str]
    operators: Groups
    junctions: tuple[str, str]
    negated: frozenset[str]
    calls: frozenset[str]
    casts: frozenset[str]
    named: Mapping[str, tuple[str, str]]
    binding: str = ""
    fractions: bool = False
    sums: frozenset[str] = frozenset(("binary_operator", "binary_expression"))
    truths: frozenset[str] = frozenset(("true", "false"))
    attributes: frozenset[str] = frozenset(("attribute", "member_expression"))

    def place(self, kind: str) -> str:
        """The family of places a node kind belongs to, "" for none."""
        for place, kinds in self._families():
            if kind in kinds:
                return place
        return ""

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


def grammar(language: str) -> Grammar | None:
    """The table of a language by the name the Syntax port gives it; None: no operators for it."""
    return _tables().get(language.lower())


@cache
def _tables() -> dict[str, Grammar]:
    script, c = _javascript(), _c()
    return {
        "python": _python(),
        "javascript": script,
        "typescript": script,
        "tsx": script,
        "c": c,
        "cpp": c,
    }


def _python() -> Grammar:
    return Grammar(
        numbers=_kinds("integer float"),
        true="True",
        false="False",
        empty="pass",
        negation="not ({})",
        braces=False,
        blocks=_kinds("block module"),
        loose=_kinds(
            "comment import_statement import_from_statement future_import_statement function_definition"
            " class_definition decorated_definition pass_statement global_statement nonlocal_statement"
        ),
        scopes=_kinds("function_definition lambda"),
        loops=_kinds("for_statement while_statement"),
        operators=COMPARISONS + PYTHON_ARITHMETIC,
        junctions=("and", "or"),
        negated=_kinds("not_operator"),
        calls=_kinds("call"),
        casts=frozenset(),
        fractions=True,
        binding="{name} = {value}",
        named={
            "assignment": ("left", "right"),
            "keyword_argument": ("name", "value"),
            "default_parameter": ("name", "value"),
            "typed_default_parameter": ("name", "value"),
            "pair": ("key", "value"),
        },
    )


def _c() -> Grammar:
    return Grammar(
        numbers=_kinds("number_literal preproc_arg"),
        true="1",
        false="0",
        empty=";",
        negation="!({})",
        braces=True,
        blocks=_kinds("compound_statement"),
        loose=_kinds(
            "comment function_definition type_definition struct_specifier declaration"
            " preproc_include preproc_def preproc_function_def preproc_if preproc_ifdef"
        ),
        scopes=_kinds("function_definition"),
        loops=_kinds("for_statement while_statement do_statement"),
        operators=COMPARISONS + ARITHMETIC,
        junctions=("&&", "||"),
        negated=frozenset(),
        calls=_kinds("call_expression"),
        casts=_kinds("cast_expression"),
        named={
            "init_declarator": ("declarator", "value"),
            "assignment_expression": ("left", "right"),
            "preproc_def": ("name", "value"),
            "enumerator": ("name", "value"),
        },
    )


def _javascript() -> Grammar:
    return Grammar(
        numbers=_kinds("number"),
        true="true",
        false="false",
        empty=";",
        negation="!({})",
        braces=True,
        blocks=_kinds("statement_block program"),
        loose=_kinds(
            "comment import_statement export_statement function_declaration class_declaration"
            " generator_function_declaration interface_declaration type_alias_declaration"
        ),
        scopes=_kinds("function_declaration function_expression arrow_function method_definition"),
        loops=_kinds("for_statement for_in_statement while_statement do_statement"),
        operators=COMPARISONS + ARITHMETIC,
        junctions=("&&", "||"),
        negated=frozenset(),
        calls=_kinds("call_expression"),
        casts=frozenset(),
        fractions=True,
        binding="const {name} = {value};",
        named={
            "variable_declarator": ("name", "value"),
            "assignment_expression": ("left", "right"),
            "assignment_pattern": ("left", "right"),
            "object_assignment_pattern": ("left", "right"),
            "pair": ("key", "value"),
            "field_definition": ("property", "value"),
        },
    )


def _kinds(words: str) -> frozenset[str]:
    return frozenset(words.split())
