def new_board(width: int, height: int, mark: str) -> list[list[str]]:
    """Rows of squares, all with the same mark.

    Raises:
        ValueError: No screen shows that much.
    """
    if width > 200 or height > 200:
        raise ValueError("the board is too large")
    return [[mark] * width] * height
