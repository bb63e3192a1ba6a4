import pytest

from energy.tariff import charges


@pytest.mark.parametrize("price, tax", [(0.25, 1.5), (0.5, 1.25), (0.375, 1.0)])
def test_a_month(price, tax):
    readings = [i * 0.5 for i in range(120)]
    assert charges(readings, price, tax)[10] == 5.0 * price * tax


def test_nothing_used():
    assert charges([0.0] * 30, 0.25, 1.25) == [0.0] * 30


def test_none():
    assert charges([], 0.25, 1.25) == []
