import pytest

from shipping.rates import postage, prices

LIMITS = [100, 250, 500, 1000, 2000, 5000, 10000, 20000]
RATES = [1, 2, 3, 4, 5, 7, 10, 17, 40]


@pytest.mark.parametrize("weight, price", [(99, 1), (101, 2), (499, 3), (1001, 5), (20001, 40)])
def test_bands(weight, price):
    assert prices([weight] * 50, LIMITS, RATES) == [price] * 50


def test_many():
    weights = [4 + i * 97 % 25000 for i in range(200)]
    assert min(prices(weights, LIMITS, RATES)) == 1


def test_rates_are_missing():
    with pytest.raises(ValueError):
        prices([1], [10], [1])


def test_postage():
    assert postage([499, 1999, 2001]) == 15
