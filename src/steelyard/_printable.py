"""Text that cannot control a terminal."""

__all__ = ["printable"]


def printable(text: str) -> str:
    """Return the text with invisible characters, such as control characters, as escapes."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in text
    )
