from datetime import date

import pytest

from ledgerkit.dates import latest, parse_dates


@pytest.fixture
def texts():
    return [f"20{i % 30:02}-{i % 12 + 1:02}-{i % 28 + 1:02}" for i in range(60)]


def test_all(texts):
    assert parse_dates(texts)[13] == date(2013, 2, 14)


@pytest.mark.parametrize("text", ["", "2023-02-29", "01.02.2023", "2024-01-0x"])
def test_no_date(text):
    assert parse_dates([text]) == [None]


def test_known():
    assert parse_dates(["2024-01-05", "2024-02-29"]) == [date(2024, 1, 5), date(2024, 2, 29)]


def test_latest(texts):
    assert latest(texts) == date(2029, 12, 4)
    assert latest([]) is None
