import pytest

from inventory.stock import Warehouse


@pytest.fixture
def warehouse():
    made = Warehouse(minimum=10)
    for i in range(150):
        made.move(f"SKU-{i * 11 % 30:02}", (i * 17 % 23) - 8)
    return made


def test_low(warehouse):
    low = warehouse.low_stock
    assert all(warehouse.on_hand(sku) < 10 for sku in low)
    assert 0 < len(low) < 30


def test_sorted(warehouse):
    assert warehouse.low_stock == sorted(warehouse.low_stock)


def test_refilled(warehouse):
    for sku in warehouse.low_stock:
        warehouse.move(sku, 500)
    assert warehouse.low_stock == []


def test_at_the_minimum():
    made = Warehouse(minimum=3)
    made.move("nut", 3)
    made.move("bolt", 2)
    assert made.low_stock == ["bolt"]


def test_empty():
    assert Warehouse(5).low_stock == []
