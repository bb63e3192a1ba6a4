"""Books on shelves."""


def key(book: str) -> tuple[str, str]:
    author, _, title = book.partition(":")
    title = title.strip().lower()
    for article in ("the ", "a ", "an "):
        title = title.removeprefix(article)
    return author.strip().lower(), title


def shelf_order(books: list[str]) -> list[str]:
    """Books by author and title, articles left out."""
    return sorted(books, key=key)
