"""TOML."""

from skygit.languages.language import Language

LANGUAGES = (Language(name="toml", suffixes=(".toml",), module="tree_sitter_toml"),)
