"""SortedList, SortedDict and SortedSet against plain lists and dicts, their own checks included."""

import random
import sys
from bisect import bisect_left, bisect_right
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from sortedcontainers import SortedDict, SortedKeyList, SortedList, SortedSet


def lists():
    rng = random.Random(7)
    mine, plain = SortedList(), []
    for i in range(4000):
        value = rng.randrange(500)
        mine.add(value)
        plain.insert(bisect_right(plain, value), value)
        if i % 3 == 0:
            at = rng.randrange(len(plain))
            assert mine.pop(at) == plain.pop(at)
        if i % 400 == 399:
            check_list(mine, plain, value)
    mine.update(range(3000))
    assert list(mine) == sorted(plain + list(range(3000)))
    mine.clear()
    assert list(mine) == [] and not mine
    keyed = SortedKeyList(range(2000), key=lambda value: -value)
    assert list(keyed) == list(range(1999, -1, -1)) and keyed[3] == 1996
    keyed._check()


def check_list(mine, plain, value):
    mine._check()
    assert list(mine) == plain and len(mine) == len(plain)
    assert mine.bisect_left(value) == bisect_left(plain, value)
    assert mine.bisect_right(value) == bisect_right(plain, value)
    assert mine.count(value) == plain.count(value)
    assert list(mine.irange(100, 200)) == [one for one in plain if 100 <= one <= 200]
    assert mine[2:9:2] == plain[2:9:2] and mine[-1] == plain[-1] and list(reversed(mine)) == plain[::-1]
    assert (value in mine) == (value in plain) and 1000 not in mine


def mappings():
    rng = random.Random(8)
    mine, plain, members, others = SortedDict(), {}, SortedSet(), set()
    for i in range(3000):
        key = rng.randrange(900)
        mine[key] = plain[key] = i
        members.add(key)
        others.add(key)
        if i % 4 == 0:
            gone = rng.randrange(900)
            assert mine.pop(gone, None) == plain.pop(gone, None)
            members.discard(gone)
            others.discard(gone)
    mine._check()
    members._check()
    assert list(mine.items()) == sorted(plain.items()) and mine.peekitem(0) == min(plain.items())
    assert list(members) == sorted(others) and members & {1, 2, 3} == others & {1, 2, 3}
    assert members.index(members[5]) == 5 and list(mine.keys()) == sorted(plain)


if __name__ == "__main__":
    lists()
    mappings()
