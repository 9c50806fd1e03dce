"""Mixed use of SortedList, SortedDict and SortedSet: `workload.py FOLDER SEED ROUNDS` prints what came out of it.

Without rounds it only imports the package.
"""

import random
import sys


def main(seed, rounds):
    from sortedcontainers import SortedDict, SortedList, SortedSet

    if rounds:
        rng = random.Random(seed)
        lists(SortedList, rng, rounds)
        mappings(SortedDict, SortedSet, rng, rounds // 3)


def lists(kind, rng, rounds):
    """Additions, removals, look-ups by position and by value."""
    mine, total = kind(range(0, 1 << 20, 40)), 0
    for i in range(rounds):
        value = rng.randrange(1 << 20)
        mine.add(value)
        if i % 24 == 23:
            del mine[rng.randrange(len(mine))]
        if i % 48 == 0:
            total += mine[rng.randrange(len(mine))] + mine.bisect_left(value)
    print("list", len(mine), total, hash(tuple(mine)))


def mappings(sorted_dict, sorted_set, rng, rounds):
    """Keys come and go; ranges are read."""
    mapping, members, total = sorted_dict(), sorted_set(), 0
    for i in range(rounds):
        key = rng.randrange(1 << 16)
        mapping[key] = i
        members.add(key ^ 1)
        if i % 5 == 4:
            mapping.popitem(rng.randrange(len(mapping)))
            members.discard(key ^ 1)
        if i % 50 == 0:
            total += sum(mapping.irange(key, key + 500))
    print("mapping", len(mapping), len(members), total, hash(tuple(mapping.items())), hash(tuple(members)))


if __name__ == "__main__":
    sys.path.insert(0, sys.argv[1])
    main(int(sys.argv[2]), int(sys.argv[3]))
