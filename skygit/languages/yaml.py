"""YAML."""

from skygit.languages.language import Language

LANGUAGES = (Language(name="yaml", suffixes=(".yaml", ".yml"), module="tree_sitter_yaml"),)
