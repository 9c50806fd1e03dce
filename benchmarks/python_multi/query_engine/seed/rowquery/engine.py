"""The door: tables by name, queries as text, parsed queries kept for the next time."""

from rowquery.executor import Execution
from rowquery.parser import parse
from rowquery.planner import plan

CACHE_SIZE = 1


class Engine:
    """A database in memory."""

    def __init__(self, verify=True):
        self.tables = {}
        self.parsed = {}
        self.verify = verify

    def add(self, table):
        """Make a table known under its name."""
        self.tables[table.name] = table

    def query(self, text):
        """The answer to a query: a list of tuples. Raises KeyError for an unknown table."""
        if self.verify:
            self.audit()
        query = self.understood(text)
        for name in [query.table] + ([query.join[0]] if query.join else []):
            if name not in self.tables:
                raise KeyError(f"no table {name}")
        return Execution(self.tables).run(plan(query, self.tables))

    def understood(self, text):
        """The parsed query, from the cache if it was asked lately."""
        query = self.parsed.pop(text, None)
        if query is None:
            query = parse(text)
        self.parsed[text] = query
        while len(self.parsed) > CACHE_SIZE:
            self.parsed.pop(next(iter(self.parsed)))
        return query

    def audit(self):
        """Check that each table's rows are whole before anything is read."""
        for table in self.tables.values():
            width = len(table.columns)
            for row in table.records:
                if len(row) != width:
                    raise ValueError(f"{table.name}: a row has {len(row)} of {width} columns")
