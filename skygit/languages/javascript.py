"""JavaScript, with JSX."""

from skygit.languages.language import Language

LANGUAGES = (
    Language(
        name="javascript",
        suffixes=(".js", ".mjs", ".cjs", ".jsx"),
        module="tree_sitter_javascript",
        comments=frozenset({"comment", "html_comment"}),
        definitions={
            "class_declaration": "class",
            "function_declaration": "function",
            "generator_function_declaration": "function",
            "method_definition": "function",
            "variable_declarator": "function",
        },
        functions=frozenset({"arrow_function", "function_expression", "generator_function"}),
    ),
)
