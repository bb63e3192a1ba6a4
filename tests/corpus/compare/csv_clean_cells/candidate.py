def clean_row(cells: list[str]) -> list[str]:
    """Each cell with its white space at the ends cut and each run within made one blank."""
    return [cell.strip(" ") for cell in cells]
