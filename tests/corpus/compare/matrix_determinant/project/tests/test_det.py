import pytest

from linear.det import determinant


@pytest.mark.parametrize("matrix, value", [([[2, 1], [1, 3]], 5), ([[0, 1], [1, 0]], -1), ([[7]], 7), ([], 1)])
def test_known(matrix, value):
    assert determinant(matrix) == value


def test_identity():
    assert determinant([[int(i == j) for j in range(10)] for i in range(10)]) == 1


def test_equal_rows():
    assert determinant([[1, 2, 3, 4], [5, 6, 7, 9], [1, 2, 3, 4], [2, 0, 1, 1]]) == 0


def test_transposed():
    matrix = [[(i * 5 + j * j * 3) % 11 for j in range(8)] for i in range(8)]
    assert determinant(matrix) == determinant([list(column) for column in zip(*matrix)])
