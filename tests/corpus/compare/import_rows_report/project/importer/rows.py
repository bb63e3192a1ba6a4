"""Importing rows of text."""


def import_rows(rows: list[str]) -> list[tuple[int, str]]:
    """Number and name of each good row; prints a line for each bad one."""
    imported = []
    for place, row in enumerate(rows):
        parts = row.split(";")
        if len(parts) != 2 or not parts[0].strip().isdecimal():
            print(f"row {place} skipped")
        else:
            imported.append((int(parts[0].strip()), parts[1].strip()))
    return imported


def newest(rows: list[str]) -> int:
    return max((number for number, _ in import_rows(rows)), default=0)
