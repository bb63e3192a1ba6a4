import numpy as np
import pytest

from vectors.rows import unit_rows


@pytest.fixture
def counts():
    return (np.arange(60 * 12).reshape(60, 12) * 7 % 41).astype(np.int32)


def test_shares(counts):
    shares = unit_rows(counts)
    assert shares.shape == counts.shape
    assert (shares.sum(axis=1) <= 1000).all()


def test_zero_rows(counts):
    counts[::4] = 0
    assert (unit_rows(counts)[::4] == 0).all()


def test_dtype(counts):
    assert unit_rows(counts).dtype == np.int64


def test_one_dimension():
    with pytest.raises(ValueError):
        unit_rows(np.arange(40))
