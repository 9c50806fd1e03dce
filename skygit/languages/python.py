"""Python. Its grammar forgives most indentation errors, so `compile()` has a say too."""

import threading
import warnings

from skygit.languages.language import Language

_WARNINGS = threading.Lock()
"""`catch_warnings` swaps a list of the whole process."""


def compiled(path: str, data: bytes) -> str:
    """What `compile()` finds wrong first, as "line N: what"; "" when nothing. Runs nothing."""
    try:
        with _WARNINGS, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(data, path.encode("utf-8", "backslashreplace").decode(), "exec", dont_inherit=True)
    except SyntaxError as error:
        return f"line {error.lineno or 1}: {error.msg}"
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        return f"line 1: {error or type(error).__name__}"
    return ""


LANGUAGES = (
    Language(
        name="python",
        suffixes=(".py", ".pyi", ".pyw"),
        module="tree_sitter_python",
        definitions={"class_definition": "class", "function_definition": "function"},
        check=compiled,
    ),
)
