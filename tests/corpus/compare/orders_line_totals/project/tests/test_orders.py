import pandas as pd
import pytest

from sales.orders import add_totals, by_customer


@pytest.fixture
def orders():
    return pd.DataFrame(
        {
            "customer": [f"c{i % 7}" for i in range(60)],
            "quantity": [i % 4 + 1 for i in range(60)],
            "price_cents": [(i * 137) % 1999 for i in range(60)],
        }
    )


def test_totals(orders):
    totals = add_totals(orders)["total_cents"]
    assert totals.iloc[5] == 2 * 685
    assert str(totals.dtype) == "int64"


def test_given_frame_stays(orders):
    add_totals(orders)
    assert list(orders.columns) == ["customer", "quantity", "price_cents"]


def test_index_is_kept(orders):
    some = orders[orders.quantity > 2]
    assert list(add_totals(some).index) == list(some.index)


def test_by_customer(orders):
    totals = by_customer(orders)
    assert sorted(totals) == [f"c{i}" for i in range(7)]
    assert sum(totals.values()) == int((orders.quantity * orders.price_cents).sum())
