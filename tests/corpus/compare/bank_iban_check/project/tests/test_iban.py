import pytest

from bank.iban import valid


@pytest.mark.parametrize(
    "number",
    ["DE89 3704 0044 0532 0130 00", "GB82 WEST 1234 5698 7654 32", "FR1420041010050500013M02606"],
)
def test_good(number):
    assert valid(number)


@pytest.mark.parametrize("number", ["", "DE89 3704", "XX89370400440532013000", "DE89-70400440532013000"])
def test_bad(number):
    assert not valid(number)


def test_small_letters():
    assert valid("nl91 abna 0417 1643 00")
