def tile_sums(pixels: np.ndarray, size: int) -> np.ndarray:
    """The sum of each whole tile of a grey image, `(height // size, width // size)`, uint64."""
    if size < 1:
        raise ValueError("a tile has at least one pixel")
    height, width = pixels.shape
    rows, columns = height // size, width // size
    if not rows or not columns:
        return np.zeros((rows, columns), dtype=np.uint64)
    whole = pixels[: rows * size, : columns * size].astype(np.uint64)
    return whole.reshape(rows, size, columns, size).sum(axis=(1, 3))
