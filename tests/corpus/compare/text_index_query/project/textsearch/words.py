"""Splitting text into words."""


def words(text: str) -> list[str]:
    return [word.strip(".,;:!?").lower() for word in text.split()]
