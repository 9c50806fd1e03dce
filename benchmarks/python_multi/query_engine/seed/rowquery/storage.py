"""Tables: rows of typed columns, and the hash indexes over them."""

from rowquery.values import KINDS, TypeMismatch, check

BUCKETS = 3


class UnknownColumn(KeyError):
    """A query names a column that its tables do not have."""


class HashIndex:
    """Rows by the value of one column, in the order they were inserted."""

    def __init__(self, column, buckets=BUCKETS):
        self.column = column
        self.buckets = [[] for _ in range(max(1, buckets))]

    def add(self, row):
        """Enter one row."""
        self._bucket(row[self.column]).append(row)

    def find(self, value):
        """The rows whose column has this value."""
        found = []
        for row in self._bucket(value):
            if row[self.column] == value:
                found.append(row)
        return found

    def _bucket(self, value):
        return self.buckets[hash(value) % len(self.buckets)]


class Table:
    """Rows under a name. `columns` is a list of (name, kind)."""

    def __init__(self, name, columns):
        for column, kind in columns:
            if kind not in KINDS:
                raise TypeMismatch(f"column {column}: unknown kind {kind!r}")
        self.name = name
        self.columns = list(columns)
        self.records = []
        self.indexes = {}

    def __len__(self):
        return len(self.records)

    def names(self):
        """The column names in order."""
        return [column for column, _ in self.columns]

    def insert(self, values):
        """Add one row, given as values in the order of the columns."""
        if len(values) != len(self.columns):
            raise TypeMismatch(f"{self.name}: {len(values)} values for {len(self.columns)} columns")
        row = {}
        for (column, kind), value in zip(self.columns, values):
            check(value, kind, column)
            row[column] = value
        self.records.append(row)
        for index in self.indexes.values():
            index.add(row)

    def scan(self, verify=True):
        """All rows; the caller owns them."""
        rows = []
        for row in self.records:
            if verify:
                self.verify(row)
            rows.append(dict(row))
        return rows

    def lookup(self, column, value, verify=True):
        """The rows whose column has this value, by index; the caller owns them."""
        if column not in self.indexes:
            self.build_index(column)
        rows = []
        for row in self.indexes[column].find(value):
            if verify:
                self.verify(row)
            rows.append(dict(row))
        return rows

    def build_index(self, column):
        """Index one column over all rows there are and all that will come."""
        self.require(column)
        index = HashIndex(column)
        for row in self.records:
            index.add(row)
        self.indexes[column] = index

    def require(self, column):
        """Raise UnknownColumn unless the table has the column."""
        if column not in self.names():
            raise UnknownColumn(f"{self.name} has no column {column}")

    def verify(self, row):
        """Raise TypeMismatch unless the row still fits the table."""
        for column, kind in self.columns:
            check(row[column], kind, column)
