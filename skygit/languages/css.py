"""Cascading style sheets."""

from skygit.languages.language import Language

LANGUAGES = (Language(name="css", suffixes=(".css",), module="tree_sitter_css"),)
