import pytest

from budget.shares import allocate


@pytest.mark.parametrize("total", [1000, 99_999, 7])
def test_nothing_gets_lost(total):
    assert sum(allocate(total, [i % 5 for i in range(60)])) == total


def test_left_over_goes_first():
    assert allocate(100, [1, 1, 1]) == [34, 33, 33]


def test_zero_weight():
    assert allocate(10, [0, 5]) == [0, 10]


def test_no_sum():
    with pytest.raises(ValueError):
        allocate(10, [0, 0])
