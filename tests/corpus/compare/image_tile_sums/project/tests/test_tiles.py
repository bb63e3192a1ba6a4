import numpy as np
import pytest

from imaging.tiles import brightest, tile_sums


@pytest.fixture
def image():
    y, x = np.mgrid[0:48, 0:64]
    return ((x * 7 + y * 13) % 256).astype(np.uint8)


@pytest.mark.parametrize("size", [4, 8, 16])
def test_shape_and_total(image, size):
    sums = tile_sums(image, size)
    assert sums.shape == (48 // size, 64 // size)
    assert int(sums.sum()) == int(image.sum())


def test_what_is_left_over_is_cut(image):
    assert tile_sums(image, 10).shape == (4, 6)


def test_dtype(image):
    assert tile_sums(image, 8).dtype == np.uint64


def test_bad_size(image):
    with pytest.raises(ValueError):
        tile_sums(image, 0)


def test_brightest():
    image = np.zeros((32, 32), dtype=np.uint8)
    image[17, 9] = 200
    assert brightest(image, 8) == (2, 1)
