"""Lua."""

from skygit.languages.language import Language

LANGUAGES = (
    Language(
        name="lua",
        suffixes=(".lua",),
        module="tree_sitter_lua",
        definitions={"function_declaration": "function"},
    ),
)
