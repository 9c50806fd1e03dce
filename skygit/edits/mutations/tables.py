"""The tables of the languages: Python first, then the languages of braces, then data and plain text."""

from functools import cache
from typing import Final

from skygit.edits.mutations.grammar import ARITHMETIC, COMPARISONS, PYTHON_ARITHMETIC, Grammar

TEXT: Final = Grammar(blocks=frozenset(("text",)), empty="")
"""Plain text: its lines are its statements (see `prose`)."""


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
        "rust": _rust(),
        "go": _go(),
        "lua": _lua(),
        "yaml": _yaml(),
        "toml": _toml(),
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
        blocks=_kinds("compound_statement"),
        loose=_kinds(
            "comment function_definition type_definition struct_specifier declaration"
            " preproc_include preproc_def preproc_function_def preproc_if preproc_ifdef"
        ),
        scopes=_kinds("function_definition"),
        loops=_kinds("for_statement while_statement do_statement"),
        operators=COMPARISONS + ARITHMETIC,
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
        blocks=_kinds("statement_block program"),
        loose=_kinds(
            "comment import_statement export_statement function_declaration class_declaration"
            " generator_function_declaration interface_declaration type_alias_declaration"
        ),
        scopes=_kinds("function_declaration function_expression arrow_function method_definition"),
        loops=_kinds("for_statement for_in_statement while_statement do_statement"),
        operators=COMPARISONS + ARITHMETIC,
        calls=_kinds("call_expression"),
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


def _rust() -> Grammar:
    return Grammar(
        numbers=_kinds("integer_literal float_literal"),
        truths=_kinds("boolean_literal"),
        blocks=_kinds("block"),
        loose=_kinds("line_comment block_comment let_declaration function_item use_declaration macro_definition"),
        scopes=_kinds("function_item closure_expression"),
        loops=_kinds("for_expression while_expression loop_expression"),
        operators=COMPARISONS + ARITHMETIC,
        calls=_kinds("call_expression"),
        named={
            "const_item": ("name", "value"),
            "static_item": ("name", "value"),
            "let_declaration": ("pattern", "value"),
        },
    )


def _go() -> Grammar:
    return Grammar(
        numbers=_kinds("int_literal float_literal"),
        blocks=_kinds("block statement_list"),
        loose=_kinds("comment short_var_declaration var_declaration const_declaration type_declaration statement_list"),
        scopes=_kinds("function_declaration method_declaration func_literal"),
        loops=_kinds("for_statement"),
        operators=COMPARISONS + ARITHMETIC,
        calls=_kinds("call_expression"),
    )


def _lua() -> Grammar:
    return Grammar(
        numbers=_kinds("number"),
        empty="do end",
        negation="not ({})",
        blocks=_kinds("block chunk"),
        loose=_kinds("comment variable_declaration function_declaration"),
        scopes=_kinds("function_declaration function_definition"),
        loops=_kinds("for_statement while_statement repeat_statement"),
        operators=(("<", "<=", ">", ">="), ("==", "~="), ("+", "-"), ("*", "/")),
        junctions=("and", "or"),
        fractions=True,
    )


def _yaml() -> Grammar:
    return Grammar(numbers=_kinds("integer_scalar float_scalar"), truths=_kinds("boolean_scalar"))


def _toml() -> Grammar:
    return Grammar(numbers=_kinds("integer float"), truths=_kinds("boolean"))


def _kinds(words: str) -> frozenset[str]:
    return frozenset(words.split())
