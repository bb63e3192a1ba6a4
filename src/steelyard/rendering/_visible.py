"""Escape untrusted text for display."""

from steelyard._printable import printable


def visible(text: str) -> str:
    """Return untrusted text on one line, without terminal control characters."""
    return printable(text.replace("\n", " ").replace("\t", " ").replace("\r", " "))


def visible_lines(text: str) -> str:
    """Return the same for a text of several lines, such as a program: its lines and tabs stay."""
    return "\n".join(printable(line.expandtabs(4)) for line in text.splitlines())


def clause(text: str, most: int = 100) -> str:
    """Return untrusted text on one line of at most `most` characters: its first clauses, or words.

    The rest has another place: as evidence, with `-v`, or in the report.
    """
    line = visible(text)
    if len(line) <= most:
        return line
    for end, rest in (("; ", ""), (" ", "...")):
        cut = line.rfind(end, most // 3, most - len(rest) + 1)
        if cut > 0:
            return line[:cut] + rest
    return line[: most - 3] + "..."
