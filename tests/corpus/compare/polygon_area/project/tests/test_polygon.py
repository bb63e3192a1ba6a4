import pytest

from survey2d.polygon import areas


@pytest.fixture
def plots():
    return [[(0, 0), (i, 0), (i, 3), (i // 2, 9), (0, 3)] for i in range(2, 60)]


def test_square():
    assert areas([[(0, 0), (4, 0), (4, 4), (0, 4)]]) == [16.0]


def test_direction_does_not_matter(plots):
    assert areas([corners[::-1] for corners in plots]) == areas(plots)


def test_growing(plots):
    assert areas(plots) == sorted(areas(plots))


@pytest.mark.parametrize("corners", [[], [(1, 1)], [(0, 0), (5, 5)]])
def test_no_area(corners):
    assert areas([corners]) == [0.0]
