"""Shell scripts."""

from skygit.languages.language import Language

LANGUAGES = (
    Language(
        name="bash",
        suffixes=(".sh", ".bash"),
        module="tree_sitter_bash",
        definitions={"function_definition": "function"},
    ),
)
