import pytest

from portfolio.value import total_value


@pytest.fixture
def positions():
    return [(0.1 * (i % 13 + 1), 3.7 + i * 0.31) for i in range(200)]


def test_total(positions):
    assert total_value(positions) == pytest.approx(sum(a * b for a, b in positions))


def test_one():
    assert total_value([(2.0, 1.5)]) == pytest.approx(3.0)


def test_none():
    assert total_value([]) == 0.0


def test_small_and_large():
    assert total_value([(1e6, 1.1), (1e-6, 1.3)] * 20) == pytest.approx(2.2e7)
