"""Query text to tokens."""

KEYWORDS = (
    "select",
    "from",
    "join",
    "on",
    "where",
    "group",
    "by",
    "order",
    "asc",
    "desc",
    "limit",
    "and",
    "or",
    "not",
    "true",
    "false",
    "count",
    "sum",
    "min",
    "max",
)
OPERATORS = ("<=", ">=", "!=", "=", "<", ">", "(", ")", ",", "*")


class QuerySyntaxError(ValueError):
    """The text is no query; the message tells where it stops being one."""


class Token:
    """A piece of text: its kind (word, keyword, number, text, sign, end), value and position."""

    def __init__(self, kind, value, position):
        self.kind = kind
        self.value = value
        self.position = position


def tokenize(text):
    """The tokens of a query, an end token last."""
    tokens = []
    position = 0
    while True:
        position = skip_blanks(text, position)
        if position >= len(text):
            break
        token, position = next_token(text, position)
        tokens.append(token)
        position = skip_blanks(text, position)
    tokens.append(Token("end", "", len(text)))
    return tokens


def skip_blanks(text, position):
    """The first position from here on that holds no blank."""
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def next_token(text, start):
    """The token that starts here, and where it ends."""
    first = text[start]
    if first == "'":
        return quoted(text, start)
    if first.isdigit() or first == "-":
        end = run_of(text, start + 1, "0123456789")
        return number(text, start, end), end
    if first.isalpha() or first == "_":
        return word(text, start)
    for sign in OPERATORS:
        if text.startswith(sign, start):
            return Token("sign", sign, start), start + len(sign)
    raise QuerySyntaxError(f"unexpected {first!r} at {start}")


def quoted(text, start):
    """A text in single quotes; there is no escape."""
    end = start + 1
    value = ""
    while end < len(text) and text[end] != "'":
        value = value + text[end]
        end += 1
    if end >= len(text):
        raise QuerySyntaxError(f"text that starts at {start} never ends")
    return Token("text", value, start), end + 1


def number(text, start, end):
    """A whole number, maybe negative."""
    digits = text[start:end]
    if digits == "-":
        raise QuerySyntaxError(f"a sign without digits at {start}")
    return Token("number", int(digits), start)


def word(text, start):
    """A keyword or a name; keywords are read in any case."""
    end = start
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    name = text[start:end]
    for keyword in KEYWORDS:
        if name.lower() == keyword:
            return Token("keyword", keyword, start), end
    return Token("word", name, start), end


def run_of(text, position, letters):
    """Where a run of these letters ends."""
    while position < len(text) and text[position] in letters:
        position += 1
    return position
