from decimal import Decimal

import pytest

from billing.invoice import Line, gross, tax_summary


@pytest.fixture
def order():
    rates = [19, 7, 0, 5, 16, 25, 12, 21]
    return [
        Line(f"A-{i:04}", i % 5 + 1, Decimal(i * 37 % 9973) / 100, rates[i * i % 8])
        for i in range(120)
    ]


def test_one_rate():
    assert tax_summary([Line("pen", 3, Decimal("1.10"), 19)]) == {19: Decimal("0.63")}


def test_rates_keep_their_order():
    lines = [Line("book", 1, Decimal(10), 7), Line("pen", 1, Decimal(10), 19)]
    assert list(tax_summary(lines)) == [7, 19]


def test_nothing_sold():
    assert tax_summary([]) == {}


def test_large_order(order):
    assert list(tax_summary(order)) == [19, 7, 16]


def test_all_rates():
    lines = [Line(f"B-{i}", 2, Decimal(i), i % 9) for i in range(90)]
    assert tax_summary(lines)[8] == Decimal("77.60")


def test_gross(order):
    assert gross(order) > sum(line.net for line in order)
