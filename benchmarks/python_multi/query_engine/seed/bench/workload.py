"""What is measured: seeded tables and queries, and what their answers have to be.

`build` makes plain data out of a seed, `run` gives it to the package, `expected` works out
the answers without the package.
"""

import random

KINDS = ("tea", "cup", "pot", "tray", "spoon", "filter", "kettle")
TOWNS = ("Selb", "Assam", "Meissen", "Delft", "Sevres")


FORMS = (0, 1, 2, 0, 3, 4, 0, 1, 5, 0, 3, 1)


def build(seed, forms=FORMS):
    """Two tables and a list of questions; a question is [number of its form, values...]."""
    rng = random.Random(seed)
    goods = [[i, rng.choice(KINDS), rng.randrange(1, 60), rng.random() < 0.4, rng.randrange(16)] for i in range(60)]
    makers = [[i, rng.choice(TOWNS), rng.randrange(5)] for i in range(16)]
    questions = []
    for form in forms:
        questions.append(question(rng, form, questions))
    return {"goods": goods, "makers": makers, "questions": questions}


def question(rng, form, earlier):
    """A question of a form; half of them were asked before."""
    again = [q for q in earlier if q[0] == form]
    if again and rng.random() < 0.6:
        return again[-1]
    return [form, rng.choice(KINDS), rng.randrange(10, 40), rng.choice(TOWNS), rng.randrange(3, 20)]


TEXTS = (
    "select id, price from goods where kind = '{kind}' and price < {price}",
    "select id, price from goods where price >= {price} and not sold = true order by price desc limit {few}",
    "select kind, count(*), sum(price), max(price) from goods where price != {price} group by kind",
    "select town, id from goods join makers on maker = maker_id where town = '{town}' and price > {price} order by id desc",
    "select count(*) from goods where (kind = '{kind}' or price > {price}) and sold = false",
    "select town, count(*) from goods join makers on maker = maker_id where kind = '{kind}' group by town order by town",
)


def text(question):
    """The query text of a question."""
    form, kind, price, town, few = question
    return TEXTS[form].format(kind=kind, price=price, town=town, few=few)


def run(package, data):
    """The package's answers, as lists of lists."""
    engine = package.Engine()
    goods = package.Table(
        "goods", [("id", "int"), ("kind", "text"), ("price", "int"), ("sold", "flag"), ("maker", "int")]
    )
    makers = package.Table("makers", [("maker_id", "int"), ("town", "text"), ("rank", "int")])
    for row in data["goods"]:
        goods.insert(row)
    for row in data["makers"]:
        makers.insert(row)
    engine.add(goods)
    engine.add(makers)
    return [[list(row) for row in engine.query(text(q))] for q in data["questions"]]


def expected(data):
    """The right answers, by list comprehensions."""
    return [ANSWERS[q[0]](data["goods"], {m[0]: m[1] for m in data["makers"]}, *q[1:]) for q in data["questions"]]


def cheap_of_kind(goods, towns, kind, price, town, few):
    return [[g[0], g[2]] for g in goods if g[1] == kind and g[2] < price]


def dearest_unsold(goods, towns, kind, price, town, few):
    rows = [[g[0], g[2]] for g in goods if g[2] >= price and not g[3]]
    return sorted(rows, key=lambda row: -row[1])[:few]


def kinds_summed(goods, towns, kind, price, town, few):
    members = {}
    for g in goods:
        if g[2] != price:
            members.setdefault(g[1], []).append(g[2])
    return [[k, len(prices), sum(prices), max(prices)] for k, prices in members.items()]


def from_town(goods, towns, kind, price, town, few):
    rows = [[town, g[0]] for g in goods if towns[g[4]] == town and g[2] > price]
    return sorted(rows, key=lambda row: -row[1])


def unsold_count(goods, towns, kind, price, town, few):
    return [[sum(1 for g in goods if (g[1] == kind or g[2] > price) and not g[3])]]


def towns_counted(goods, towns, kind, price, town, few):
    counts = {}
    for g in goods:
        if g[1] == kind:
            counts[towns[g[4]]] = counts.get(towns[g[4]], 0) + 1
    return [[name, counts[name]] for name in sorted(counts)]


ANSWERS = (cheap_of_kind, dearest_unsold, kinds_summed, from_town, unsold_count, towns_counted)
