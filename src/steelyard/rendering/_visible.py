"""Text that somebody else wrote, fit to be shown."""

from steelyard._printable import printable

__all__ = ["visible", "visible_lines"]


def visible(text: str) -> str:
    """Text from a candidate or a file on one line, without what would steer a terminal."""
    return printable(text.replace("\n", " ").replace("\t", " ").replace("\r", " "))


def visible_lines(text: str) -> str:
    """The same for a text of several lines, such as a program: its lines and tabs stay."""
    return "\n".join(printable(line.expandtabs(4)) for line in text.splitlines())
