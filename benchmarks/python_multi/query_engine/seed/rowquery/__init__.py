"""A small in-memory query engine: typed tables, a text query language, indexes, joins, groups."""

from rowquery.engine import Engine
from rowquery.executor import TooManyRows
from rowquery.lexer import QuerySyntaxError
from rowquery.storage import Table, UnknownColumn
from rowquery.values import TypeMismatch

__all__ = ["Engine", "QuerySyntaxError", "Table", "TooManyRows", "TypeMismatch", "UnknownColumn"]
