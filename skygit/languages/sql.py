"""SQL. Its grammar calls block comments marginalia."""

from skygit.languages.language import Language

LANGUAGES = (
    Language(
        name="sql",
        suffixes=(".sql",),
        module="tree_sitter_sql",
        comments=frozenset({"comment", "marginalia"}),
        definitions={
            "create_table": "table",
            "create_view": "view",
            "create_materialized_view": "view",
            "create_function": "function",
            "create_index": "index",
        },
    ),
)
