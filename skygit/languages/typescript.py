"""TypeScript, without and with JSX: two grammars in one wheel."""

from skygit.languages.language import Language

_DEFINITIONS = {
    "class_declaration": "class",
    "abstract_class_declaration": "class",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "type_alias_declaration": "type",
    "function_declaration": "function",
    "generator_function_declaration": "function",
    "method_definition": "function",
    "variable_declarator": "function",
}
_FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function"})

LANGUAGES = (
    Language(
        name="typescript",
        suffixes=(".ts", ".mts", ".cts"),
        module="tree_sitter_typescript",
        entry="language_typescript",
        definitions=_DEFINITIONS,
        functions=_FUNCTIONS,
    ),
    Language(
        name="tsx",
        suffixes=(".tsx",),
        module="tree_sitter_typescript",
        entry="language_tsx",
        definitions=_DEFINITIONS,
        functions=_FUNCTIONS,
    ),
)
