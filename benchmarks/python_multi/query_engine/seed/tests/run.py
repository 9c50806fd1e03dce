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


def told(error, message, call, *arguments):
    try:
        call(*arguments)
    except error as caught:
        assert message == (caught.args[0] if caught.args else ""), caught
        return
    raise AssertionError(f"{error.__name__} expected from {call.__name__}{arguments}")


def test_projection_and_star():
    engine = shop()
    assert engine.query("select id from goods") == [(1,), (2,), (3,), (4,), (5,)]
    assert engine.query("select * from makers limit 1") == [("tea", 1, "Assam")]
    assert engine.query("select price, id from goods limit 2") == [(5, 1), (7, 2)]
    assert engine.query("select id from goods limit 0") == []
    assert engine.query("select id from goods limit -1") == []
    assert engine.query("select id from goods limit 9") == [(1,), (2,), (3,), (4,), (5,)]


def test_every_operator():
    engine = shop()
    cases = {"=": [1], "!=": [2, 3, 4, 5], "<": [3, 5], "<=": [1, 3, 5], ">": [2, 4], ">=": [1, 2, 4]}
    for operator, ids in cases.items():
        answer = engine.query(f"select id from goods where price {operator} 5")
        assert answer == [(i,) for i in ids], operator
    assert engine.query("select id from goods where 5 < price") == [(2,), (4,)]
    assert engine.query("select id from goods where kind < 'pot'") == [(3,), (5,)]
    assert engine.query("select id from goods where kind >= 'pot' and kind != 'tea'") == [(4,)]
    assert engine.query("select id from goods where id = price") == [(3,)]


def test_where_tokens_end():
    engine = shop()
    assert engine.query("select id from goods where (kind = 'tea')") == [(1,), (2,)]
    assert engine.query(" select\tid\n from goods where ( kind='tea' ) ") == [(1,), (2,)]
    tight = "select id,price from goods where(kind='tea'and price<=5)or price>=20 or(not(kind!='pot'))order by id desc"
    assert engine.query(tight) == [(4, 20), (1, 5)]
    assert engine.query("select id from goods where ((price=3)and(sold=true))or'pot'=kind") == [(3,), (4,)]
    assert engine.query("select count(*),sum(price)from goods where'tea'=kind") == [(2, 12)]
    assert engine.query("select id from goods where kind = '' or kind = 'a b, (c' or kind='and'") == []


def test_names_and_negative_numbers():
    engine = Engine()
    table = Table("_t1", [("_id", "int"), ("Big_2", "text"), ("order_by", "int")])
    for row in [(-12, "it is (so), = 5", 0), (0, "'", 1), (3, "and", -1)]:
        table.insert(row)
    engine.add(table)
    assert engine.query("select _id from _t1 where _id<-1") == [(-12,)]
    assert engine.query("select _id from _t1 where _id = -12") == [(-12,)]
    assert engine.query("select order_by from _t1 where Big_2 = 'it is (so), = 5'") == [(0,)]
    assert engine.query("Select Big_2 From _t1 Where order_by = -1") == [("and",)]
    assert engine.query("select sum(_id), min(_id), max(order_by) from _t1") == [(-9, -12, 1)]
    raises(UnknownColumn, engine.query, "select big_2 from _t1")


def test_logic():
    engine = shop()
    assert engine.query("select id from goods where sold = true and kind = 'tea'") == [(1,)]
    assert engine.query("select id from goods where kind = 'pot' or sold = true") == [(1,), (3,), (4,)]
    assert engine.query("select id from goods where not (kind = 'tea' or price < 4)") == [(4,)]
    assert engine.query("select id from goods where kind = 'tea' or kind = 'cup' and price > 3") == [(1,), (2,)]
    assert engine.query("SELECT id FROM goods WHERE not kind = 'tea' AND not sold = true") == [(4,), (5,)]


def test_texts_and_numbers_stand_beside_anything():
    engine = shop()
    assert engine.query("select id from goods where (kind = 'tea') and (price=5)") == [(1,)]
    assert engine.query("select id from goods where('tea'=kind)and(7=price)") == [(2,)]
    assert engine.query("select id,kind from goods where kind='pot'or kind='pot'") == [(4, "pot")]
    assert engine.query("select id from goods where kind = ''") == []
    assert engine.query("select id from goods where price > -1 and price<4") == [(3,), (5,)]
    assert engine.query("  select\tid\nfrom goods limit 12 ") == [(1,), (2,), (3,), (4,), (5,)]


def test_the_same_question_asked_again_has_the_same_answer():
    engine = shop()
    for _ in range(2):
        for number in range(80):
            assert len(engine.query(f"select id from goods where price > {number}")) == sum(
                price > number for price in (5, 7, 3, 20, 3)
            )


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
    assert engine.query("select kind from goods group by kind") == [("tea",), ("cup",), ("pot",)]
    assert engine.query("select min(price), max(price), min(kind), max(kind), count(id) from goods") == [
        (3, 20, "cup", "tea", 5)
    ]
    answer = engine.query("select kind, max(id), min(price) from goods where price < 20 group by kind limit 1")
    assert answer == [("tea", 2, 5)]
    assert engine.query("select town, min(price) from makers group by town order by town limit 1") == [("Assam", 1)]
    assert engine.query("select sold, min(price), max(price) from goods group by sold") == [(True, 3, 5), (False, 3, 20)]
    message = "id is neither grouped nor folded"
    told(UnknownColumn, message, engine.query, "select id, count(*) from goods group by kind")
    told(UnknownColumn, message, engine.query, "select id, count(*) from goods")
    raises(KeyError, engine.query, "select sum(colour) from goods")
    raises(KeyError, engine.query, "select count(*) from goods group by colour")


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
        rows.pop().clear()
        engine.tables["goods"].lookup("kind", "tea").pop().clear()
        engine.query("select id from goods").clear()
    assert len(engine.tables["goods"]) == 5
    assert engine.query("select sum(price) from goods") == [(38,)]
    assert engine.tables["goods"].lookup("id", 2) == [{"id": 2, "kind": "tea", "price": 7, "sold": False}]


def test_engines_and_tables_share_nothing():
    columns = [("id", "int")]
    first, second = Table("goods", columns), Table("goods", columns)
    columns.append(("more", "int"))
    assert first.names() == ["id"]
    first.insert((1,))
    second.insert((2,))
    engines = [Engine(), Engine()]
    engines[0].add(first)
    engines[1].add(second)
    assert [engine.query("select id from goods where id < 9") for engine in engines] == [[(1,)], [(2,)]]
    engines[0].add(second)
    assert engines[0].query("select id from goods where id < 9") == [(2,)]


def test_few_parsed_queries_are_kept():
    engine = shop()
    for i in range(150):
        engine.query(f"select id from makers limit {i - 200}")
    assert len(engine.parsed) <= 128


def test_indexed_lookups_in_a_large_table():
    engine = Engine()
    table = Table("large", [("id", "int"), ("name", "text")])
    for i in range(1050):
        table.insert((i, f"n{i % 350}"))
    engine.add(table)
    assert engine.query("select id from large where name = 'n7'") == [(7,), (357,), (707,)]
    engine.add(shop().tables["goods"])
    cases = {
        "id = 1049 and name = 'n349'": [1049],
        "name = 'n349' and id = 349": [349],
        "(name = 'n7') and id != 7": [357, 707],
        "name = 'n7' or id = 3": [3, 7, 357, 707],
        "not name != 'n7'": [7, 357, 707],
        "1049 = id": [1049],
        "id = id and id < 2": [0, 1],
        "id <= 1 and name = 'n1'": [1],
        "id = -1": [],
    }
    for _ in range(2):
        for where, ids in cases.items():
            assert engine.query(f"select id from large where {where}") == [(i,) for i in ids], where
    joined = "select id, kind from large join goods on id = price where "
    assert engine.query(joined + "kind = 'tea'") == [(5, "tea"), (7, "tea")]
    assert engine.query(joined + "sold = false and id = 20") == [(20, "pot")]
    assert engine.query("select id from large where id != 5 and name = 'n5'") == [(355,), (705,)]
    assert len(engine.query("select id from large where name != 'n7'")) == 1047
    assert engine.query("select id from large where id < 2") == [(0,), (1,)]
    assert engine.query("select id from large where 1049 = id") == [(1049,)]
    assert len(engine.query("select id from large where id = id")) == 1050
    assert engine.query("select id from large where name = 'n7' or id = 8") == [(7,), (8,), (357,), (707,)]
    assert engine.query("select count(*) from large where not name = 'n7'") == [(1047,)]
    raises(TypeMismatch, engine.query, "select id from large where id > 'x'")
    raises(UnknownColumn, engine.query, "select id from large where colour = 'x'")
    table.insert((2000, "n7"))
    assert engine.query("select id from large where name = 'n7' and id > 7") == [(357,), (707,), (2000,)]


def test_names_may_hold_underscores_and_digits():
    engine = Engine()
    table = Table("big_2", [("_id", "int"), ("made_in", "text")])
    table.insert((1, "a_b"))
    engine.add(table)
    assert engine.query("select _id, made_in from big_2 where made_in = 'a_b'") == [(1, "a_b")]


def test_types_are_checked():
    table = Table("t", [("a", "int"), ("b", "flag")])
    raises(TypeMismatch, table.insert, ("1", True))
    raises(TypeMismatch, table.insert, (True, True))
    raises(TypeMismatch, table.insert, (1, 1))
    raises(TypeMismatch, table.insert, (1,))
    raises(TypeMismatch, Table, "t", [("a", "float")])
    raises(TypeMismatch, table.insert, (1, "x"))
    raises(TypeMismatch, table.insert, (1, True, 1))
    told(TypeMismatch, "t: 0 values for 2 columns", table.insert, ())
    told(TypeMismatch, "column b: 3 is not of kind flag", table.insert, (2, 3))
    told(TypeMismatch, "column a: unknown kind 'float'", Table, "t", [("a", "float")])
    raises(TypeMismatch, Table("u", [("a", "text")]).insert, (1,))
    assert len(table) == 0
    raises(TypeMismatch, table.verify, {"a": 1, "b": 1})
    raises(TypeMismatch, table.verify, {"a": "1", "b": True})
    table.verify({"a": 1, "b": True})


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
        "select id from goods where price = select",
        "select id from goods where price = )",
        "select id from goods limit 'x'",
        "select sum id from goods",
        "select id from goods order by",
        "select , from goods",
        "select id from goods where price",
        "select id from goods where price)",
        "select id from goods where (price)",
        "select id from goods where not",
        "select id from goods where sold = select",
        "select id from goods where price = 3 and",
        "select id from goods where kind = 'tea' 'and' sold = true",
        "select id from goods where kind '=' 'tea'",
        "select id from goods where '(' price = 3 ')'",
        "select id from goods limit 3x",
        "select id from goods 'limit' 3",
        "select id from goods group order kind",
        "select id from goods order by id desc asc",
        "select id from goods order by id asc desc",
        "select id from goods join makers on kind < made",
        "select id from goods join makers where kind = made",
        "select sum(*) from goods",
        "select count)id( from goods",
        "select count(id from goods",
        "select id, from goods",
        "select 'id' from goods",
        "'select' id from goods",
        "select id from 'goods'",
    ]
    for text in texts:
        raises(QuerySyntaxError, engine.query, text)
    raises(KeyError, engine.query, "select id from nowhere")
    raises(UnknownColumn, engine.query, "select colour from goods")
    raises(KeyError, engine.query, "select id from goods order by colour")
    told(KeyError, "no table nowhere", engine.query, "select id from nowhere")
    told(KeyError, "no table nowhere", engine.query, "select id from goods join nowhere on id = x")
    for where in ("colour = 3", "3 = colour", "price > 99 and colour = 3", "price > 0 or 3 < colour", "not colour = 3"):
        told(UnknownColumn, "no column colour", engine.query, f"select id from goods where {where}")
    told(UnknownColumn, "no column colour", engine.query, "select id, colour from goods")
    told(UnknownColumn, "no column colour", engine.query, "select id from goods join makers on colour = made")
    told(UnknownColumn, "makers has no column colour", engine.query, "select id from goods join makers on id = colour")
    told(UnknownColumn, "goods has no column colour", engine.tables["goods"].lookup, "colour", 1)
    for text, message in {
        "": "unexpected 'end' at 0",
        "select id  goods": "unexpected 'goods' at 11",
        "select id from goods where price = ": "unexpected 'end' at 35",
        "select id from goods where price = )": "unexpected ')' at 35",
        "select id from goods where price ~ 3": "unexpected '~' at 33",
        "select id from goods where kind = 'tea": "text that starts at 34 never ends",
        "select id from goods where price = -": "a sign without digits at 35",
        "select id from goods 'limit' 3": "unexpected 'limit' at 21",
        "select id from goods group ORDER kind": "unexpected 'order' at 27",
    }.items():
        told(QuerySyntaxError, message, engine.query, text)
    raises(TypeMismatch, engine.query, "select id from goods where kind < true")
    told(TypeMismatch, "cannot compare 5 with 'x'", engine.query, "select id from goods where price < 'x'")
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
    table = Table("many", [("k", "int")])
    for i in range(2000):
        table.insert((i,))
    engine.add(table)
    assert engine.query("select count(*) from many") == [(2000,)]
    table.insert((2000,))
    told(TooManyRows, "2001 rows, at most 2000", engine.query, "select k from many")


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
