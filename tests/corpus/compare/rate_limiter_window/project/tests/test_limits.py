import pytest

from gateway.limits import allowed, refused


@pytest.fixture
def seconds():
    return [i + i * i % 3 for i in range(0, 280, 3)]


def test_calm(seconds):
    assert all(allowed(seconds, 50, 60))


@pytest.mark.parametrize("most", [1, 5, 10])
def test_busy(seconds, most):
    assert refused(seconds, most, 60) > 0


def test_burst():
    assert allowed([1, 1, 1, 12], 2, 10) == [True, True, False, True]


def test_none():
    assert allowed([], 1, 1) == []
