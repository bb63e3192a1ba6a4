import pytest

from mapping.grid import cells, crowded


@pytest.fixture
def points():
    return [(i * 37 % 100, i * 53 % 90) for i in range(250)]


@pytest.mark.parametrize("size", [5, 10, 40])
def test_nothing_gets_lost(points, size):
    assert sum(cells(points, size).values()) == 250


def test_edges():
    assert cells([(0, 0), (9, 9), (10, 0)], 10) == {(0, 0): 2, (1, 0): 1}


def test_no_size():
    with pytest.raises(ZeroDivisionError):
        cells([(1, 1)], 0)


def test_crowded(points):
    assert crowded(points, 100, 10) == 1
