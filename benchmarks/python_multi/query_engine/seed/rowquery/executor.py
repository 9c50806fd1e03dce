"""Carry out a plan: fetch, join, filter, group, order, cut, project."""

from rowquery.storage import UnknownColumn
from rowquery.values import compare

MAX_ROWS = 2000


class TooManyRows(RuntimeError):
    """The answer of a step is larger than the engine is willing to hold."""


class Execution:
    """One run of one plan."""

    def __init__(self, tables, verify=True):
        self.tables = tables
        self.verify = verify
        self.rows = []

    def run(self, plan):
        """The answer: a list of tuples."""
        query = plan.query
        self.release()
        self.rows = self.fetch(plan)
        if query.join:
            self.rows = self.joined(*query.join)
        self.guard()
        if query.where:
            self.rows = self.filtered(query.where)
        if query.group or any(item.fold for item in query.items):
            self.rows = self.grouped(query)
        if query.order:
            self.rows = merge_sort(self.rows, query.order, query.descending)
        if query.limit is not None:
            self.rows = self.rows[: max(0, query.limit)]
        answer = self.projected(query)
        self.release()
        return answer

    def release(self):
        """Forget the rows of an earlier step."""
        for row in self.rows:
            row.clear()
        self.rows = []

    def fetch(self, plan):
        """The rows of the first table."""
        table = self.tables[plan.query.table]
        if plan.column:
            rows = table.lookup(plan.column, plan.value)
        else:
            rows = table.scan()
        if self.verify:
            for row in rows:
                table.verify(row)
        return rows

    def joined(self, name, left, right):
        """Every row with every matching row of the other table; on a clash of names the first wins."""
        other = self.tables[name]
        result = []
        for row in self.rows:
            if left not in row:
                raise UnknownColumn(f"no column {left}")
            for match in other.lookup(right, row[left]):
                if self.verify:
                    other.verify(match)
                combined = dict(match)
                for column in row:
                    combined[column] = row[column]
                result.append(combined)
        return result

    def guard(self):
        """Raise TooManyRows when there are more rows than MAX_ROWS."""
        if len(self.rows) > MAX_ROWS:
            raise TooManyRows(f"{len(self.rows)} rows, at most {MAX_ROWS}")

    def filtered(self, where):
        """The rows that meet the condition."""
        kept = []
        for row in self.rows:
            for column in where.columns():
                if column not in row:
                    raise UnknownColumn(f"no column {column}")
            if where.value(row):
                kept.append(dict(row))
        return kept

    def grouped(self, query):
        """One row per group, in the order in which groups appear."""
        keys = []
        for row in self.rows:
            key = row[query.group] if query.group else None
            if key not in keys:
                keys.append(key)
        result = []
        for key in keys:
            members = [row for row in self.rows if not query.group or row[query.group] == key]
            result.append(summary(query, key, members))
        return result

    def projected(self, query):
        """The rows as tuples of the items asked for."""
        labels = [item.label for item in query.items]
        answer = []
        for row in self.rows:
            wanted = labels or sorted(row)
            for label in wanted:
                if label not in row:
                    raise UnknownColumn(f"no column {label}")
            answer.append(tuple(row[label] for label in wanted))
        return answer


def summary(query, key, members):
    """The row that stands for a group."""
    row = {query.group: key} if query.group else {}
    for item in query.items:
        if item.fold:
            row[item.label] = folded(item, members)
        elif item.column != query.group:
            raise UnknownColumn(f"{item.column} is neither grouped nor folded")
    return row


def folded(item, members):
    """One function over one column of a group."""
    if item.fold == "count":
        return len(members)
    values = [row[item.column] for row in members]
    if item.fold == "sum":
        total = 0
        for value in values:
            total = total + value
        return total
    best = values[0]
    for value in values:
        order = compare(value, best)
        if (order < 0 and item.fold == "min") or (order > 0 and item.fold == "max"):
            best = value
    return best


def merge_sort(rows, column, descending, presorted=False):
    """The rows in order of one column; equal ones keep their order."""
    if len(rows) < 2 or presorted:
        return list(rows)
    middle = len(rows) // 2
    left = merge_sort(rows[:middle], column, descending)
    right = merge_sort(rows[middle:], column, descending)
    merged = []
    while left and right:
        order = compare(right[0][column], left[0][column])
        if (order > 0) if descending else (order < 0):
            merged.append(right.pop(0))
        else:
            merged.append(left.pop(0))
    return merged + left + right
