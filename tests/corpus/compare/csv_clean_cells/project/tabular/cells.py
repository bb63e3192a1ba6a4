"""Cells of tables."""


def clean_row(cells: list[str]) -> list[str]:
    """Each cell with its white space at the ends cut and each run within made one blank."""
    cleaned = []
    for cell in cells:
        text = ""
        for word in cell.split():
            if text:
                text = text + " " + word
            else:
                text = word
        cleaned.append(text)
    return cleaned


def is_blank(cells: list[str]) -> bool:
    return not any(clean_row(cells))
