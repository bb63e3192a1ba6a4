import pytest

from fx.convert import convert_all


@pytest.fixture
def amounts():
    return [(i * 317 % 99991, ("EUR", "USD", "GBP", "CHF")[i % 4]) for i in range(100)]


@pytest.mark.parametrize("target", ["EUR", "USD", "GBP"])
def test_one_for_each(amounts, target):
    assert len(convert_all(amounts, target)) == 100


def test_known():
    assert convert_all([(10_000, "EUR")], "USD") == [10_835]


def test_same_currency(amounts):
    francs = [(cents, "CHF") for cents, _ in amounts]
    assert convert_all(francs, "CHF") == [cents for cents, _ in amounts]


def test_unknown():
    with pytest.raises(KeyError):
        convert_all([(1, "XXX")], "EUR")
