import pandas as pd
import pytest

from reports.regions import revenue


@pytest.fixture
def sales():
    return pd.DataFrame(
        {
            "region": ["north", "south", "east", "west"] * 50,
            "units": [i % 11 for i in range(200)],
            "unit_cents": [100 + i * 7 % 300 for i in range(200)],
        }
    )


def test_regions(sales):
    assert sorted(revenue(sales)["region"]) == ["east", "north", "south", "west"]


def test_largest_first(sales):
    cents = list(revenue(sales)["cents"])
    assert cents == sorted(cents, reverse=True)


def test_counts(sales):
    assert revenue(sales)["units"].sum() == sales["units"].sum()


def test_total(sales):
    assert revenue(sales)["cents"].sum() == (sales["units"] * sales["unit_cents"]).sum()
