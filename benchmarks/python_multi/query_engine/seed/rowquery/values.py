"""The kinds a column can have, and how their values compare."""

KINDS = ("int", "text", "flag")


class TypeMismatch(ValueError):
    """A value does not fit its column."""


def fits(value, kind):
    """Whether a value may stand in a column of this kind. A flag is no int."""
    if kind == "int":
        return isinstance(value, int) and not isinstance(value, bool)
    if kind == "text":
        return isinstance(value, str)
    if kind == "flag":
        return isinstance(value, bool)
    return False


def check(value, kind, column):
    """Raise TypeMismatch unless the value fits."""
    if not fits(value, kind):
        raise TypeMismatch(f"column {column}: {value!r} is not of kind {kind}")


def compare(left, right):
    """-1, 0 or 1. Values of different kinds cannot be compared."""
    if isinstance(left, str) != isinstance(right, str):
        raise TypeMismatch(f"cannot compare {left!r} with {right!r}")
    if left < right:
        return -1
    if left > right:
        return 1
    return 0


def satisfies(left, operator, right):
    """Whether `left operator right` holds."""
    order = compare(left, right)
    if operator == "=":
        return order == 0
    if operator == "!=":
        return order != 0
    if operator == "<":
        return order < 0
    if operator == "<=":
        return order <= 0
    if operator == ">":
        return order > 0
    return order >= 0
