"""Parts of messages: text that cannot control a terminal, and the name that was meant."""

from collections.abc import Iterable


def printable(text: str) -> str:
    """Return the text with invisible characters, such as control characters, as escapes."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in text
    )


def nearest(name: str, known: Iterable[str]) -> str:
    """Return `, did you mean input?` for an unknown name that is nearly a known one, or nothing."""
    from difflib import get_close_matches  # only a wrong call needs it  # noqa: PLC0415

    close = get_close_matches(name, list(known), n=1, cutoff=0.7)
    return f", did you mean {close[0]}?" if close else ""
