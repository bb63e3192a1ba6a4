import pytest

from arena.players import best, threshold


@pytest.fixture
def scores():
    return [i * 7919 % 1009 for i in range(150)]


@pytest.mark.parametrize("count", [5, 40, 150])
def test_count(scores, count):
    chosen = best(scores, count)
    assert len(chosen) == count
    assert chosen == sorted(chosen, reverse=True)


def test_few():
    assert best([4, 8, 6], 2) == [8, 6]


def test_more_than_there_are():
    assert best([1, 2], 9) == [2, 1]


def test_threshold(scores):
    assert threshold(scores, 10) == min(best(scores, 10))
