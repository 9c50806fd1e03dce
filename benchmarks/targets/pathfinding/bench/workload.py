"""A* on seeded grids with weights and walls: the grids, the package's paths, the true costs."""

import heapq
import itertools
import random

SIZE = 24
GRIDS = 8


def build(seed, grids=GRIDS):
    """Grids of weights from 1 to 9; three cells in ten are walls (0), the corners are free."""
    rng = random.Random(seed)
    made = []
    for _ in range(grids):
        rows = [[0 if rng.random() < 0.3 else rng.randrange(1, 10) for _ in range(SIZE)] for _ in range(SIZE)]
        rows[0][0] = rows[-1][-1] = 1
        made.append(rows)
    return made


def run(package, grids):
    """For each grid the path of the package as [x, y] steps, from corner to corner; [] when there is none."""
    from pathfinding.core.diagonal_movement import DiagonalMovement
    from pathfinding.core.grid import Grid
    from pathfinding.finder.a_star import AStarFinder

    paths = []
    for rows in grids:
        grid = Grid(matrix=rows)
        finder = AStarFinder(diagonal_movement=DiagonalMovement.never)
        path, _ = finder.find_path(grid.node(0, 0), grid.node(SIZE - 1, SIZE - 1), grid)
        paths.append([[node.x, node.y] for node in path])
    return paths


def fault(rows, path):
    """What is wrong with a path; "" when it is legal and none is cheaper."""
    best = cheapest(rows)
    if best is None:
        return "" if path == [] else "a path where there is none"
    if not path:
        return "no path where there is one"
    if path[0] != [0, 0] or path[-1] != [SIZE - 1, SIZE - 1]:
        return "a path that does not lead from corner to corner"
    for (x, y), (next_x, next_y) in itertools.pairwise(path):
        if abs(next_x - x) + abs(next_y - y) != 1 or not rows[next_y][next_x]:
            return f"an illegal step from {x}, {y} to {next_x}, {next_y}"
    cost = sum(rows[y][x] for x, y in path[1:])
    return "" if cost == best else f"a path that costs {cost} where one costs {best}"


def cheapest(rows):
    """The least cost from corner to corner by Dijkstra's algorithm; None when there is no way."""
    costs, queue = {}, [(0, 0, 0)]
    while queue:
        cost, x, y = heapq.heappop(queue)
        if (x, y) in costs:
            continue
        costs[x, y] = cost
        for at_x, at_y in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if 0 <= at_x < SIZE and 0 <= at_y < SIZE and rows[at_y][at_x]:
                heapq.heappush(queue, (cost + rows[at_y][at_x], at_x, at_y))
    return costs.get((SIZE - 1, SIZE - 1))
