import pytest

from minefield.board import new_board, show


@pytest.mark.parametrize("width, height", [(8, 8), (30, 16), (60, 40)])
def test_size(width, height):
    board = new_board(width, height, ".")
    assert len(board) == height
    assert all(row == ["."] * width for row in board)


def test_show():
    assert show(new_board(3, 2, "x")) == "xxx\nxxx"


def test_no_rows():
    assert new_board(4, 0, ".") == []
