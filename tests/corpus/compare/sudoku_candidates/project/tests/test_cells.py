import pytest

from sudoku.cells import candidates


@pytest.fixture
def grid():
    rows = [[(row * 3 + row // 3 + column) % 9 + 1 for column in range(9)] for row in range(9)]
    rows[4][4] = rows[0][8] = rows[8][0] = 0
    return rows


@pytest.mark.parametrize("row, column", [(4, 4), (0, 8), (8, 0)])
def test_one_digit_left(grid, row, column):
    assert len(candidates(grid, row, column)) == 1


def test_taken(grid):
    assert candidates(grid, 1, 1) == []


def test_empty_grid():
    assert candidates([[0] * 9 for _ in range(9)], 5, 5) == list(range(1, 10))
