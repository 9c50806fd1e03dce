"""HTML. Scripts and styles in it are read in their own language."""

from skygit.languages.language import Language

LANGUAGES = (
    Language(
        name="html",
        suffixes=(".html", ".htm"),
        module="tree_sitter_html",
        embedded={"script_element": ".js", "style_element": ".css"},
    ),
)
