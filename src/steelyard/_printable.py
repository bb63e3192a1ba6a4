"""Text that cannot steer a terminal."""

__all__ = ["printable"]


def printable(text: str) -> str:
    """The text with what has no shape of its own, such as control characters, as escapes."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in text
    )
