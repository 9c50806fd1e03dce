"""Rust. Its line comments end on the next row when they document something."""

from skygit.languages.language import Language

LANGUAGES = (
    Language(
        name="rust",
        suffixes=(".rs",),
        module="tree_sitter_rust",
        comments=frozenset({"line_comment", "block_comment"}),
        definitions={
            "function_item": "function",
            "struct_item": "struct",
            "enum_item": "enum",
            "trait_item": "trait",
            "impl_item": "impl",
            "mod_item": "module",
            "macro_definition": "macro",
        },
    ),
)
