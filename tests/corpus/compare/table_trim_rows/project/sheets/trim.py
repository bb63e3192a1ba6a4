"""Tables from spreadsheets."""


def is_empty(cell: str) -> bool:
    return not cell.strip()


def trim_rows(table: list[list[str]]) -> list[list[str]]:
    """A copy of the table without the empty rows at its end."""
    end = 0
    for number, row in enumerate(table):
        if not all(is_empty(cell) for cell in row):
            end = number + 1
    return [list(row) for row in table[:end]]


def height(table: list[list[str]]) -> int:
    return len(trim_rows(table))
