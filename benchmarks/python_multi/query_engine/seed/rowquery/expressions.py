"""Conditions as trees: each node tells whether a row meets it."""

from rowquery.storage import UnknownColumn
from rowquery.values import satisfies


class Column:
    """The value a row has in one column."""

    def __init__(self, name):
        self.name = name

    def value(self, row):
        if self.name not in row:
            raise UnknownColumn(f"no column {self.name}")
        return row[self.name]

    def columns(self):
        return [self.name]


class Constant:
    """A value written in the query."""

    def __init__(self, constant):
        self.constant = constant

    def value(self, row):
        return self.constant

    def columns(self):
        return []


class Comparison:
    """left operator right."""

    def __init__(self, left, operator, right):
        self.left = left
        self.operator = operator
        self.right = right

    def value(self, row):
        return satisfies(self.left.value(row), self.operator, self.right.value(row))

    def columns(self):
        return self.left.columns() + self.right.columns()


class Every:
    """All parts hold."""

    def __init__(self, parts):
        self.parts = parts

    def value(self, row):
        result = True
        for part in self.parts:
            if not part.value(row):
                result = False
        return result

    def columns(self):
        return [name for part in self.parts for name in part.columns()]


class Some:
    """At least one part holds."""

    def __init__(self, parts):
        self.parts = parts

    def value(self, row):
        result = False
        for part in self.parts:
            if part.value(row):
                result = True
        return result

    def columns(self):
        return [name for part in self.parts for name in part.columns()]


class Negation:
    """The part does not hold."""

    def __init__(self, part):
        self.part = part

    def value(self, row):
        return not self.part.value(row)

    def columns(self):
        return self.part.columns()
