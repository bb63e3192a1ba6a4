import pytest

from quota.sizes import parse_sizes, total


@pytest.mark.parametrize(
    "text, size",
    [
        ("512", 512),
        ("12 MiB", 12 * 2**20),
        ("1000000000 KB", 10**12),
        (" 7 gib ", 7 * 2**30),
    ],
)
def test_sizes(text, size):
    assert parse_sizes([text] * 12) == [size] * 12


def test_no_number():
    with pytest.raises(ValueError):
        parse_sizes(["MB"])


def test_none():
    assert parse_sizes([]) == []


def test_total():
    assert total(["1 KB", "1 KiB"] * 30) == 30 * 2024
