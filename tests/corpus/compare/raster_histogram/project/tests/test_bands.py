import numpy as np
import pytest

from raster.bands import darkest, histogram


@pytest.fixture
def band():
    y, x = np.mgrid[0:40, 0:50]
    return ((x * x + y * 3) % 64).astype(np.uint8)


def test_all_pixels(band):
    assert histogram(band, 64).sum() == 2000


def test_levels_beyond_are_left_out(band):
    assert len(histogram(band, 16)) == 16


def test_small():
    assert list(histogram(np.array([[0, 1], [1, 3]], dtype=np.uint8), 4)) == [1, 2, 0, 1]


def test_darkest(band):
    assert darkest(band + 3, 70) == 3
