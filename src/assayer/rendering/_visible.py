"""Text that somebody else wrote, fit to be shown."""

from assayer._printable import printable

__all__ = ["visible"]


def visible(text: str) -> str:
    """Text from a candidate or a file on one line, without what would steer a terminal."""
    return printable(text.replace("\n", " ").replace("\t", " ").replace("\r", " "))
