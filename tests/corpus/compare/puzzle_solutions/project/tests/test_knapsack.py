import pytest

from puzzles.knapsack import best_value


@pytest.fixture
def items():
    return [i * 7 % 19 + 1 for i in range(20)], [i * 11 % 31 for i in range(20)]


@pytest.mark.parametrize("capacity", [10, 50, 100])
def test_more_room_more_value(items, capacity):
    assert best_value(*items, capacity) <= best_value(*items, capacity + 5)


def test_small():
    assert best_value([3, 4, 5], [4, 5, 6], 7) == 9


def test_bad_weight():
    with pytest.raises(ValueError):
        best_value([0], [1], 5)
