import pytest

from vectorkit.points import Point, shift, width


@pytest.fixture
def shape():
    return [Point(i, i * i % 50) for i in range(150)]


@pytest.mark.parametrize("dx, dy", [(0, 0), (5, -3), (-200, 40)])
def test_shift(shape, dx, dy):
    assert shift(shape, dx, dy)[3] == (3 + dx, 9 + dy)


def test_width_stays(shape):
    assert width(shape) == 149


def test_none():
    assert shift([], 1, 1) == []
