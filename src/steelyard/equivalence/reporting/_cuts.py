"""Texts cut to what a reader can take in, on one line and printable."""

from itertools import takewhile

from steelyard.reports import visible

_GAP = "..."


def cut(text: str, most: int) -> str:
    """At most this many characters, from the start."""
    shown = visible(text[: most + 1])
    return shown if len(shown) <= most else shown[: most - len(_GAP)] + _GAP


def cut_middle(text: str, most: int) -> str:
    """At most this many characters, from both ends: names of tests tell most at their end."""
    shown = visible(text if len(text) <= 2 * most else f"{text[:most]}{text[-most:]}")
    if len(shown) <= most:
        return shown
    head = (most - len(_GAP)) // 3
    return shown[:head] + _GAP + shown[head + len(_GAP) - most :]


def cut_pair(first: str, second: str, most: int) -> tuple[str, str]:
    """Two texts, each cut so that the first place where they differ is still seen."""
    start = 0
    if max(len(first), len(second)) > most:
        alike = takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False))
        start = max(0, sum(1 for _ in alike) - most // 2)
    head = _GAP if start else ""
    shown = (cut(text[start:], most - len(head)) for text in (first, second))
    one, other = (head + text for text in shown)
    return one, other


def cut_code(text: str, most: int) -> str:
    """A line of source with its indentation."""
    return cut(text[: most + 1].expandtabs(4).rstrip(), most)
