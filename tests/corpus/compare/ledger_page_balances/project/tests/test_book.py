import pytest

from ledger.book import Ledger


@pytest.fixture
def ledger():
    made = Ledger()
    for i in range(120):
        made.transfer("cash", "rent" if i % 3 else "food", 100 + i * 7 % 50)
    return made


@pytest.mark.parametrize("account, count", [("cash", 120), ("rent", 80), ("food", 40)])
def test_one_for_each_booking(ledger, account, count):
    assert len(ledger.page(account).balances()) == count


def test_nothing_gets_lost(ledger):
    assert sum(page.balances()[-1] for page in ledger.pages.values()) == 0


def test_opening():
    page = Ledger.Page("bank", opening=1000)
    page.book(-300)
    page.book(50)
    assert page.balances() == [700, 750]


def test_empty():
    assert Ledger.Page("bank").balances() == []
