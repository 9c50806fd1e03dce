"""Java."""

from skygit.languages.language import Language

LANGUAGES = (
    Language(
        name="java",
        suffixes=(".java",),
        module="tree_sitter_java",
        comments=frozenset({"line_comment", "block_comment"}),
        definitions={
            "class_declaration": "class",
            "interface_declaration": "interface",
            "enum_declaration": "enum",
            "record_declaration": "class",
            "method_declaration": "function",
            "constructor_declaration": "function",
        },
    ),
)
