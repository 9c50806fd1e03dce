"""C and its headers."""

from skygit.languages.language import Language

LANGUAGES = (
    Language(
        name="c",
        suffixes=(".c", ".h"),
        module="tree_sitter_c",
        definitions={
            "function_definition": "function",
            "struct_specifier": "struct",
            "union_specifier": "union",
            "enum_specifier": "enum",
        },
    ),
)
