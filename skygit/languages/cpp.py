"""C++."""

from skygit.languages.language import Language

LANGUAGES = (
    Language(
        name="cpp",
        suffixes=(".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx", ".cu", ".cuh"),
        module="tree_sitter_cpp",
        definitions={
            "function_definition": "function",
            "class_specifier": "class",
            "struct_specifier": "struct",
            "union_specifier": "union",
            "enum_specifier": "enum",
            "namespace_definition": "namespace",
        },
    ),
)
