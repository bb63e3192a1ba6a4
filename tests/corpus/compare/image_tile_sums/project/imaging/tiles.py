"""Images in tiles."""

import numpy as np


def tile_sums(pixels: np.ndarray, size: int) -> np.ndarray:
    """The sum of each whole tile of a grey image, `(height // size, width // size)`, uint64."""
    if size < 1:
        raise ValueError("a tile has at least one pixel")
    height, width = pixels.shape
    rows, columns = height // size, width // size
    sums = np.zeros((rows, columns), dtype=np.uint64)
    for row in range(rows):
        for column in range(columns):
            tile = pixels[row * size : (row + 1) * size, column * size : (column + 1) * size]
            sums[row, column] = tile.astype(np.uint64).sum()
    return sums


def brightest(pixels: np.ndarray, size: int) -> tuple[int, int]:
    sums = tile_sums(pixels, size)
    row, column = np.unravel_index(int(sums.argmax()), sums.shape)
    return int(row), int(column)
