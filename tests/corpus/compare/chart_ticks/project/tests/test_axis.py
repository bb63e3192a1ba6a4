import pytest

from charts.axis import labels, ticks


@pytest.mark.parametrize("low, high, step", [(0, 1000, 5), (-350, 350, 7), (3, 1999, 9)])
def test_within(low, high, step):
    marks = ticks(low, high, step)
    assert low <= marks[0] and marks[-1] <= high


def test_own_list():
    marks = ticks(0, 300, 10)
    marks.append(999)
    assert ticks(0, 300, 10)[-1] == 300


def test_none():
    assert ticks(1, 4, 5) == []


def test_labels():
    assert labels(900, 1100, 100) == ["900", "1,000", "1,100"]
