"""Escape untrusted text for display."""

from steelyard._printable import printable

__all__ = ["visible", "visible_lines"]


def visible(text: str) -> str:
    """Return untrusted text on one line, without terminal control characters."""
    return printable(text.replace("\n", " ").replace("\t", " ").replace("\r", " "))


def visible_lines(text: str) -> str:
    """Return the same for a text of several lines, such as a program: its lines and tabs stay."""
    return "\n".join(printable(line.expandtabs(4)) for line in text.splitlines())
