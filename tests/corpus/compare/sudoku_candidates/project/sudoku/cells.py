"""Squares of a sudoku."""


def candidates(grid: list[list[int]], row: int, column: int) -> list[int]:
    """The digits that may stand in a free square, sorted; none where it is taken."""
    if grid[row][column]:
        return []
    used = set(grid[row])
    for other in grid:
        used.add(other[column])
    top, left = row - row % 3, column - column % 3
    for i in range(top, top + 3):
        for j in range(left, left + 3):
            used.add(grid[i][j])
    return [digit for digit in range(1, 10) if digit not in used]
