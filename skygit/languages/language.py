"""What a language is: suffixes, the wheel that holds its grammar, and the names its grammar uses."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

Check = Callable[[str, bytes], str]
"""The language's own compiler: (path, data) to "line N: what", or "" when it is content."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One language. `module` is the grammar's wheel, `entry` its function.

    `comments` are the node kinds of comments. `definitions` maps the node kinds of named
    definitions to what they define ("class", "function", ...); `functions` are the kinds of
    values that make a variable a function. `embedded` maps the kind of an element that holds
    another language's text to a suffix of that language.
    """

    name: str
    suffixes: tuple[str, ...]
    module: str
    entry: str = "language"
    comments: frozenset[str] = frozenset({"comment"})
    definitions: Mapping[str, str] = field(default_factory=dict)
    functions: frozenset[str] = frozenset()
    embedded: Mapping[str, str] = field(default_factory=dict)
    check: Check | None = None
