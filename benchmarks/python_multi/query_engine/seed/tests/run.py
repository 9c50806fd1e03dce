"""The package's own tests: `python tests/run.py [FOLDER [WORD]]`, no test runner needed.

FOLDER holds the package; WORD is printed last when all went well.
"""

import os
import sys
import traceback

sys.path.insert(0, sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from rowquery import Engine, QuerySyntaxError, Table, TooManyRows, TypeMismatch, UnknownColumn  # noqa: E402


def shop():
    engine = Engine()
    goods = Table("goods", [("id", "int"), ("kind", "text"), ("price", "int"), ("sold", "flag")])
    for row in [
        (1, "tea", 5, True),
        (2, "tea", 7, False),
        (3, "cup", 3, True),
        (4, "pot", 20, False),
        (5, "cup", 3, False),
    ]:
        goods.insert(row)
    makers = Table("makers", [("made", "text"), ("town", "text"), ("price", "int")])
    for row in [("tea", "Assam", 1), ("cup", "Selb", 2), ("cup", "Meissen", 9)]:
        makers.insert(row)
    engine.add(goods)
    engine.add(makers)
    return engine


def raises(error, call, *arguments):
    try:
        call(*arguments)
    except error:
        return
    raise AssertionError(f"{error.__name__} expected from {call.__name__}{arguments}")


def test_projection_and_star():
    engine = shop()
    assert engine.query("select id from goods") == [(1,), (2,), (3,), (4,), (5,)]
    assert engine.query("select * from makers limit 1") == [("tea", 1, "Assam")]
    assert engine.query("select price, id from goods limit 2") == [(5, 1), (7, 2)]
    assert engine.query("select id from goods limit 0") == []


def test_every_operator():
    engine = shop()
    cases = {"=": [1], "!=": [2, 3, 4, 5], "<": [3, 5], "<=": [1, 3, 5], ">": [2, 4], ">=": [1, 2, 4]}
    for operator, ids in cases.items():
        answer = engine.query(f"select id from goods where price {operator} 5")
        assert answer == [(i,) for i in ids], operator
    assert engine.query("select id from goods where 5 < price") == [(2,), (4,)]


def test_logic():
    engine = shop()
    assert engine.query("select id from goods where sold = true and kind = 'tea'") == [(1,)]
    assert engine.query("select id from goods where kind = 'pot' or sold = true") == [(1,), (3,), (4,)]
    assert engine.query("select id from goods where not (kind = 'tea' or price < 4)") == [(4,)]
    assert engine.query("select id from goods where kind = 'tea' or kind = 'cup' and price > 3") == [(1,), (2,)]
    assert engine.query("SELECT id FROM goods WHERE not kind = 'tea' AND not sold = true") == [(4,), (5,)]


def test_order_is_stable():
    engine = shop()
    assert engine.query("select id from goods order by price") == [(3,), (5,), (1,), (2,), (4,)]
    assert engine.query("select id from goods order by price desc") == [(4,), (2,), (1,), (3,), (5,)]
    assert engine.query("select id from goods order by kind asc limit 3") == [(3,), (5,), (4,)]


def test_groups():
    engine = shop()
    answer = engine.query("select kind, count(*), sum(price), min(id), max(id) from goods group by kind")
    assert answer == [("tea", 2, 12, 1, 2), ("cup", 2, 6, 3, 5), ("pot", 1, 20, 4, 4)]
    assert engine.query("select count(*), sum(price) from goods where price < 6") == [(3, 11)]
    answer = engine.query("select kind, count(*) from goods group by kind order by kind desc")
    assert answer == [("tea", 2), ("pot", 1), ("cup", 2)]
    raises(UnknownColumn, engine.query, "select id, count(*) from goods group by kind")


def test_join():
    engine = shop()
    answer = engine.query("select id, town, price from goods join makers on kind = made")
    assert answer == [
        (1, "Assam", 5),
        (2, "Assam", 7),
        (3, "Selb", 3),
        (3, "Meissen", 3),
        (5, "Selb", 3),
        (5, "Meissen", 3),
    ]
    assert engine.query("select count(*) from goods join makers on kind = made where town = 'Selb'") == [(2,)]
    raises(UnknownColumn, engine.query, "select id from goods join makers on kind = colour")
    raises(UnknownColumn, engine.query, "select id from goods join makers on colour = made")


def test_later_rows_are_seen():
    engine = shop()
    text = "select town from goods join makers on kind = made where id = 4"
    assert engine.query(text) == []
    engine.tables["makers"].insert(("pot", "Bunzlau", 4))
    assert engine.query(text) == [("Bunzlau",)]
    engine.tables["goods"].insert((6, "pot", 30, True))
    assert engine.query("select id from goods where kind = 'pot'") == [(4,), (6,)]


def test_answers_leave_the_tables_alone():
    engine = shop()
    for _ in range(3):
        assert engine.query("select count(*) from goods join makers on kind = made") == [(6,)]
        rows = engine.tables["goods"].scan()
        rows.pop()
    assert len(engine.tables["goods"]) == 5


def test_indexed_lookups_in_a_large_table():
    engine = Engine()
    table = Table("large", [("id", "int"), ("name", "text")])
    for i in range(1050):
        table.insert((i, f"n{i % 350}"))
    engine.add(table)
    assert engine.query("select id from large where name = 'n7'") == [(7,), (357,), (707,)]
    assert engine.query("select id from large where id = 1049 and name = 'n349'") == [(1049,)]
    raises(TypeMismatch, engine.query, "select id from large where id > 'x'")


def test_types_are_checked():
    table = Table("t", [("a", "int"), ("b", "flag")])
    raises(TypeMismatch, table.insert, ("1", True))
    raises(TypeMismatch, table.insert, (True, True))
    raises(TypeMismatch, table.insert, (1, 1))
    raises(TypeMismatch, table.insert, (1,))
    raises(TypeMismatch, Table, "t", [("a", "float")])
    assert len(table) == 0


def test_mistakes_are_told():
    engine = shop()
    texts = [
        "",
        "select",
        "select id goods",
        "select id from goods where",
        "select id from goods where price ~ 3",
        "select id from goods where kind = 'tea",
        "select id from goods limit x",
        "select id from goods where price -",
        "select id from goods where (price = 3",
        "select id from goods order id",
        "select id from goods extra",
    ]
    for text in texts:
        raises(QuerySyntaxError, engine.query, text)
    raises(KeyError, engine.query, "select id from nowhere")
    raises(UnknownColumn, engine.query, "select colour from goods")
    raises(UnknownColumn, engine.query, "select id from goods where colour = 3")
    raises(TypeMismatch, engine.query, "select id from goods where price < 'x'")


def test_large_answers_are_refused():
    engine = Engine()
    for name in ("a", "b"):
        table = Table(name, [(f"{name}k", "int")])
        for _ in range(45):
            table.insert((1,))
        engine.add(table)
    raises(TooManyRows, engine.query, "select ak from a join b on ak = bk")
    engine.tables["b"].records.pop()
    engine.tables["b"].indexes.clear()
    assert len(engine.query("select ak from a join b on ak = bk")) == 1980


def main():
    failed = 0
    for name, test in sorted(globals().items()):
        if name.startswith("test_"):
            try:
                test()
            except Exception:
                failed += 1
                print(f"FAILED {name}")
                traceback.print_exc()
    if not failed:
        print(sys.argv[2] if len(sys.argv) > 2 else "tests passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
