"""What a faster search may not lose: limits of time and runs, diagonal moves, borders, grids used twice."""

import random

import pytest
from pathfinding.core.diagonal_movement import DiagonalMovement
from pathfinding.core.grid import Grid
from pathfinding.core.heuristic import chebyshev, euclidean, manhattan, null, octile
from pathfinding.finder.a_star import AStarFinder
from pathfinding.finder.bi_a_star import BiAStarFinder
from pathfinding.finder.breadth_first import BreadthFirstFinder
from pathfinding.finder.dijkstra import DijkstraFinder
from pathfinding.finder.finder import ExecutionRunsException, ExecutionTimeException

FINDERS = (AStarFinder, BiAStarFinder, DijkstraFinder, BreadthFirstFinder)


def grid(rows=12):
    matrix = [[1] * rows for _ in range(rows)]
    for y in range(rows - 1):
        matrix[y][rows // 2] = 0
    return Grid(matrix=matrix)


def searched(finder, field):
    return finder.find_path(field.node(0, 0), field.node(field.width - 1, 0), field)


@pytest.mark.parametrize("kind", FINDERS)
def test_the_limit_of_runs_holds(kind):
    finder = kind(max_runs=3)
    with pytest.raises(ExecutionRunsException):
        searched(finder, grid())
    assert finder.runs <= 3


@pytest.mark.parametrize("kind", FINDERS)
def test_the_limit_of_time_holds(kind):
    finder = kind(time_limit=-0.1)
    with pytest.raises(ExecutionTimeException):
        searched(finder, grid())
    assert finder.runs == 1


@pytest.mark.parametrize("kind", FINDERS)
def test_a_generous_limit_does_not_matter(kind):
    path, runs = searched(kind(time_limit=60, max_runs=10_000), grid())
    assert len(path) == 34
    assert 0 < runs < 10_000


@pytest.mark.parametrize("kind", FINDERS)
def test_a_grid_can_be_used_again(kind):
    field = grid()
    lengths = [len(searched(kind(), field)[0]) for _ in range(3)]
    assert lengths == [34, 34, 34]


def test_diagonal_moves():
    lengths = {}
    for movement in (
        DiagonalMovement.never,
        DiagonalMovement.always,
        DiagonalMovement.if_at_most_one_obstacle,
        DiagonalMovement.only_when_no_obstacle,
    ):
        lengths[movement] = len(searched(AStarFinder(diagonal_movement=movement), grid())[0])
    assert list(lengths.values()) == [34, 23, 23, 25]


def test_borders_can_be_crossed():
    field = grid()
    field.set_passable_left_right_border()
    assert len(searched(AStarFinder(), field)[0]) == 2


def test_weights_and_blocked_ways():
    field = Grid(matrix=[[1, 9, 1], [1, 1, 1], [0, 0, 0]])
    path, _ = field_path(field, 2, 0)
    assert [(node.x, node.y) for node in path] == [(0, 0), (0, 1), (1, 1), (2, 1), (2, 0)]
    assert field_path(Grid(matrix=[[1, 0, 1]]), 2, 0)[0] == []
    assert len(field_path(Grid(matrix=[[1, 0.5, 0.5]]), 2, 0)[0]) == 3


def test_a_walled_in_end_is_never_reached():
    rng = random.Random(5)
    for _ in range(30):
        rows = [[rng.randrange(1, 10) for _ in range(8)] for _ in range(8)]
        rows[6][7] = rows[7][6] = 0
        assert field_path(Grid(matrix=rows), 7, 7)[0] == []


def field_path(field, x, y):
    return AStarFinder().find_path(field.node(0, 0), field.node(x, y), field)


def test_heuristics():
    values = [heuristic(3, 4) for heuristic in (manhattan, euclidean, chebyshev, null)]
    assert values == [7, 5, 4, 0]
    assert abs(octile(3, 4) - (4 + 3 * (2**0.5 - 1))) < 1e-9
