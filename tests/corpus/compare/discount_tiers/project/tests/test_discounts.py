import pytest

from shop.discounts import discounted


@pytest.mark.parametrize("quantity, price", [(1, 100), (4, 400), (5, 475), (20, 1800), (50, 4000)])
def test_tiers(quantity, price):
    assert discounted([quantity] * 40, 100) == [price] * 40


def test_many():
    assert len(discounted(list(range(300)), 1999)) == 300


def test_none():
    assert discounted([], 100) == []
