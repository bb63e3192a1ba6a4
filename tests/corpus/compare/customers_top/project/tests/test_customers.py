import pytest

from crm.customers import top_customers


@pytest.fixture
def turnover():
    return [(f"customer-{i}", i * 7919 % 10007) for i in range(1, 90)]


@pytest.mark.parametrize("count", [1, 10, 89])
def test_count(turnover, count):
    names = top_customers(turnover, count)
    assert len(set(names)) == count


def test_order():
    assert top_customers([("ann", 10), ("bob", 30), ("cyd", 20)], 2) == ["bob", "cyd"]


def test_none():
    assert top_customers([], 3) == []
    assert top_customers([("ann", 1)], 0) == []
