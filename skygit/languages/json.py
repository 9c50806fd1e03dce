"""JSON. It has no comments of its own; the grammar lets them stand."""

from skygit.languages.language import Language

LANGUAGES = (Language(name="json", suffixes=(".json",), module="tree_sitter_json"),)
