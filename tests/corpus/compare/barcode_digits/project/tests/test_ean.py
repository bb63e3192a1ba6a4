import pytest

from barcodes.ean import check_digits


@pytest.mark.parametrize(
    "code, digit", [("400638133393", 1), ("501234567890", 0), ("978030640615", 7), ("123456789012", 8)]
)
def test_known(code, digit):
    assert check_digits([code] * 12) == [digit] * 12


def test_zeros():
    assert check_digits(["000000000000"] * 12) == [0] * 12


def test_mixed():
    assert check_digits(["400638133393", "978030640615"] * 10) == [1, 7] * 10


@pytest.mark.parametrize("code", ["", "12345", "12345678901x"])
def test_bad(code):
    with pytest.raises(ValueError):
        check_digits([code])
