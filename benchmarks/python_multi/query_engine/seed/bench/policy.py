"""What source code may not contain when it is measured in the process that measures it.

A counter and the code it counts share an interpreter, so the code must not be able to reach the
counter. That takes introspection, and a library that computes something needs none of it: the
files are read (never run) and refused when they import what is not on the list or name a way in.
"""

import ast
import typing

ALLOWED = frozenset(
    "__future__ abc array bisect collections collections.abc copy dataclasses enum functools heapq itertools math "
    "operator re string struct typing".split()
)
CALLS = frozenset(
    "eval exec compile __import__ open input breakpoint globals locals vars getattr setattr delattr memoryview "
    "__builtins__ __loader__ __spec__".split()
)
ATTRIBUTES = frozenset(
    "sys os enum abc types builtins modules settrace gettrace setprofile monitoring f_trace f_back f_globals f_locals "
    "f_code f_builtins tb_frame tb_next gi_frame gi_code cr_frame ag_frame cell_contents attrgetter methodcaller "
    "_sys _os co_code co_consts co_filename func_globals mro".split()
)
DUNDERS = frozenset(
    "__init__ __new__ __slots__ __all__ __len__ __iter__ __next__ __contains__ __getitem__ __setitem__ __delitem__ "
    "__eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ __repr__ __str__ __bool__ __call__ __enter__ __exit__ __add__ "
    "__sub__ __mul__ __and__ __or__ __post_init__ __name__ __missing__ __reversed__ __neg__ __int__ __index__ "
    "__future__ __radd__ __iadd__ __truediv__ __floordiv__ __mod__ __abs__ __min__ __max__ __doc__".split()
)


class Fault(typing.NamedTuple):
    """One name that is refused, and where it stands."""

    path: str
    line: int
    name: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.name} is not for measured code"


def faults(sources, allowed=ALLOWED):
    """What is refused in {path: text}, in order."""
    found = []
    for path, text in sorted(sources.items()):
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError) as error:
            found.append(Fault(path, 0, f"what does not parse ({error})"))
            continue
        for node in ast.walk(tree):
            found += [Fault(path, node.lineno, name) for name in refused(node, allowed)]
    return found


def refused(node, allowed):
    """The names in one node that are refused."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names if alias.name not in allowed]
    if isinstance(node, ast.ImportFrom):
        return from_import(node, allowed)
    if isinstance(node, ast.Attribute):
        return [node.attr] if hidden(node.attr, ATTRIBUTES) else []
    if isinstance(node, ast.Name):
        return [node.id] if hidden(node.id, CALLS) else []
    return []


def from_import(node, allowed):
    """Refused parts of `from x import y`; relative imports stay in the package."""
    if node.level == 0 and node.module not in allowed and node.module.split(".")[0] not in allowed:
        return [node.module]
    return [a.name for a in node.names if hidden(a.name, ATTRIBUTES | CALLS) or private(node, a)]


def private(node, alias):
    return node.level == 0 and alias.name.startswith("_") and node.module != "__future__"


def hidden(name, names):
    """Whether a name is a way into the interpreter."""
    dunder = name.startswith("__") and name.endswith("__")
    return name in names or (dunder and name not in DUNDERS)
