import pandas as pd
import pytest

from restock.frames import to_order


@pytest.fixture
def stock():
    return pd.DataFrame(
        {"sku": [f"s{i}" for i in range(30)], "stock": [i * 7 % 20 for i in range(30)], "minimum": [6] * 30}
    )


def test_rows(stock):
    rows = to_order(stock)
    assert list(rows["sku"][:2].values) == ["s0", "s3"]
    assert (rows["stock"] < 6).all()


def test_counts(stock):
    rows = to_order(stock)
    assert list(rows["order"].values) == list((rows["minimum"] - rows["stock"]).values)


def test_nothing_to_order(stock):
    assert len(to_order(stock.assign(minimum=0))) == 0


def test_given_frame_stays(stock):
    to_order(stock)
    assert "order" not in stock.columns
