"""Tokens to a Query, by recursive descent.

query     = select items from NAME [join NAME on NAME = NAME] [where any]
            [group by NAME] [order by NAME [asc|desc]] [limit NUMBER]
items     = "*" | item {"," item}          item = NAME | count "(" "*" ")" | FOLD "(" NAME ")"
any       = every {or every}               every = single {and single}
single    = not single | "(" any ")" | operand OPERATOR operand
"""

from rowquery.expressions import Column, Comparison, Constant, Every, Negation, Some
from rowquery.lexer import QuerySyntaxError, tokenize

COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
FOLDS = ("count", "sum", "min", "max")


class Item:
    """One column of the answer: `fold` is "" or the function over a group."""

    def __init__(self, fold, column):
        self.fold = fold
        self.column = column
        self.label = f"{fold}({column})" if fold else column


class Query:
    """What was asked."""

    def __init__(self):
        self.items = []
        self.table = ""
        self.join = None
        self.where = None
        self.group = None
        self.order = None
        self.descending = False
        self.limit = None


def parse(text):
    """The query a text asks for. Raises QuerySyntaxError."""
    return Parser(tokenize(text)).query()


class Parser:
    """A position in the tokens."""

    def __init__(self, tokens):
        self.tokens = tokens
        self.at = 0

    def query(self):
        query = Query()
        self.need("keyword", "select")
        query.items = self.items()
        self.need("keyword", "from")
        query.table = self.need("word")
        if self.take("keyword", "join"):
            query.join = self.join()
        if self.take("keyword", "where"):
            query.where = self.any()
        if self.take("keyword", "group"):
            self.need("keyword", "by")
            query.group = self.need("word")
        if self.take("keyword", "order"):
            self.order(query)
        if self.take("keyword", "limit"):
            query.limit = self.need("number")
        self.need("end")
        return query

    def items(self):
        if self.take("sign", "*"):
            return []
        items = [self.item()]
        while self.take("sign", ","):
            items.append(self.item())
        return items

    def item(self):
        for fold in FOLDS:
            if self.take("keyword", fold):
                self.need("sign", "(")
                column = "*" if fold == "count" and self.take("sign", "*") else self.need("word")
                self.need("sign", ")")
                return Item(fold, column)
        return Item("", self.need("word"))

    def join(self):
        table = self.need("word")
        self.need("keyword", "on")
        left = self.need("word")
        self.need("sign", "=")
        return table, left, self.need("word")

    def order(self, query):
        self.need("keyword", "by")
        query.order = self.need("word")
        query.descending = self.take("keyword", "desc")
        if not query.descending:
            self.take("keyword", "asc")

    def any(self):
        parts = [self.every()]
        while self.take("keyword", "or"):
            parts.append(self.every())
        return Some(parts) if len(parts) > 1 else parts[0]

    def every(self):
        parts = [self.single()]
        while self.take("keyword", "and"):
            parts.append(self.single())
        return Every(parts) if len(parts) > 1 else parts[0]

    def single(self):
        if self.take("keyword", "not"):
            return Negation(self.single())
        if self.take("sign", "("):
            inner = self.any()
            self.need("sign", ")")
            return inner
        left = self.operand()
        for operator in COMPARISONS:
            if self.take("sign", operator):
                return Comparison(left, operator, self.operand())
        raise self.unexpected()

    def operand(self):
        token = self.tokens[self.at]
        self.at += 1
        if token.kind in ("number", "text"):
            return Constant(token.value)
        if token.kind == "keyword" and token.value in ("true", "false"):
            return Constant(token.value == "true")
        if token.kind == "word":
            return Column(token.value)
        self.at -= 1
        raise self.unexpected()

    def take(self, kind, value):
        """Step over the next token if it is this one; whether it was."""
        token = self.tokens[self.at]
        if token.kind == kind and token.value == value:
            self.at += 1
            return True
        return False

    def need(self, kind, value=None):
        """The value of the next token, which must be of this kind (and value)."""
        token = self.tokens[self.at]
        if token.kind != kind or (value is not None and token.value != value):
            raise self.unexpected()
        self.at += 1
        return token.value

    def unexpected(self):
        token = self.tokens[self.at]
        return QuerySyntaxError(f"unexpected {token.value or 'end'!r} at {token.position}")
