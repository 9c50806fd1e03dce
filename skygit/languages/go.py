"""Go."""

from skygit.languages.language import Language

LANGUAGES = (
    Language(
        name="go",
        suffixes=(".go",),
        module="tree_sitter_go",
        definitions={"function_declaration": "function", "method_declaration": "function", "type_spec": "type"},
    ),
)
