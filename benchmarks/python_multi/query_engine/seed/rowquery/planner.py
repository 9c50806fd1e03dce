"""How a query is going to be answered: which rows are fetched, and how."""

from rowquery.expressions import Column, Comparison, Constant, Every

INDEX_FROM = 1024


class Plan:
    """Fetch rows by `column` = `value` when a column is given, else by a scan; then filter by `where`."""

    def __init__(self, query, column="", value=None):
        self.query = query
        self.column = column
        self.value = value


def plan(query, tables):
    """The plan for a query over these tables."""
    table = tables[query.table]
    if len(table) < INDEX_FROM:
        return Plan(query)
    for part in conjuncts(query.where):
        if is_lookup(part) and part.left.name in table.names():
            return Plan(query, part.left.name, part.right.constant)
    return Plan(query)


def conjuncts(where):
    """The conditions that must all hold."""
    if where is None:
        return []
    return where.parts if isinstance(where, Every) else [where]


def is_lookup(part):
    """Whether a condition is `column = constant`."""
    if not isinstance(part, Comparison) or part.operator != "=":
        return False
    return isinstance(part.left, Column) and isinstance(part.right, Constant)
