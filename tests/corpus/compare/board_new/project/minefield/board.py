"""A board of squares."""


def new_board(width: int, height: int, mark: str) -> list[list[str]]:
    """Rows of squares, all with the same mark.

    Raises:
        ValueError: No screen shows that much.
    """
    if width > 200 or height > 200:
        raise ValueError("the board is too large")
    board = []
    for _ in range(height):
        row = []
        for _ in range(width):
            row.append(mark)
        board.append(row)
    return board


def show(board: list[list[str]]) -> str:
    return "\n".join("".join(row) for row in board)
