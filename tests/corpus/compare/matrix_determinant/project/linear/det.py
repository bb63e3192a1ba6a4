"""Determinants of whole numbers."""


def determinant(matrix: list[list[int]]) -> int:
    """By Bareiss's elimination, without fractions."""
    rows = [list(row) for row in matrix]
    size = len(rows)
    sign, before = 1, 1
    for k in range(size - 1):
        if rows[k][k] == 0:
            swap = next((i for i in range(k + 1, size) if rows[i][k]), None)
            if swap is None:
                return 0
            rows[k], rows[swap] = rows[swap], rows[k]
            sign = -sign
        for i in range(k + 1, size):
            for j in range(k + 1, size):
                rows[i][j] = (rows[i][j] * rows[k][k] - rows[i][k] * rows[k][j]) // before
        before = rows[k][k]
    return sign * rows[-1][-1] if rows else 1
