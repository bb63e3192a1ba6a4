"""Draw parts of an SVG chart; the page's style sheet colours them by class."""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import Literal, NamedTuple

from steelyard.rendering._axis import Axis

LINE_HEIGHT = 16.0
"""From one line of text to the next; its size is 11, as the page's style sheet has it."""
_NARROW, _WIDE = 6.4, 11.0  # widths of a character; fonts differ, so on the large side
_SAMPLE, _AFTER_SAMPLE, _BETWEEN = 18.0, 5.0, 12.0
_TICK_GAP = 5.0


class Key(NamedTuple):
    """An entry of a legend."""

    shape: Literal["line", "upright", "dot", "box", "diamond"]
    kind: str
    """The class of the shape."""
    label: str


def text_width(text: str) -> float:
    """Return about how wide a text is, at most."""
    return sum(_WIDE if unicodedata.east_asian_width(char) in "WF" else _NARROW for char in text)


def svg_text(x: float, y: float, text: str, kind: str, anchor: str = "start") -> str:
    """Return a text, escaped; `anchor`: which of its ends lies at x."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{escape(text)}</text>'
    )


def svg_line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """Return a straight line."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def svg_dot(x: float, y: float, kind: str) -> str:
    """Return a measured figure."""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.4" class="{kind}"/>'


def svg_ticks(axis: Axis, x_of: Callable[[float], float], y: float, right: float) -> Iterator[str]:
    """Yield the labels below a horizontal axis, those that have room.

    Args:
        axis: The axis.
        x_of: Gives the position of a value.
        y: The baseline of the labels.
        right: Where the picture ends; 0 is where it begins.
    """
    taken = -_TICK_GAP
    for value, label in axis.ticks:
        half = text_width(label) / 2
        x = min(max(x_of(value), half), right - half)
        if x - half >= taken + _TICK_GAP:
            yield svg_text(x, y, label, "tick", "middle")
            taken = x + half


def svg_legend(keys: Sequence[Key], left: float, right: float, y: float) -> tuple[list[str], float]:
    """Return a legend in as many lines as it needs, and their height.

    Args:
        keys: Its entries.
        left: Where each line begins.
        right: Where the picture ends.
        y: The middle of the first line.
    """
    parts: list[str] = []
    x, first = left, y
    for key in keys:
        wide = _SAMPLE + _AFTER_SAMPLE + text_width(key.label)
        if x > left and x + wide > right:
            x, y = left, y + LINE_HEIGHT
        parts.append(_sample(key, x, y))
        parts.append(svg_text(x + _SAMPLE + _AFTER_SAMPLE, y + 3.5, key.label, "key"))
        x += wide + _BETWEEN
    return parts, y - first + LINE_HEIGHT if keys else 0.0


def _sample(key: Key, x: float, y: float) -> str:
    middle = x + _SAMPLE / 2
    match key.shape:
        case "line":
            return svg_line(x, y, x + _SAMPLE, y, key.kind)
        case "upright":
            return svg_line(middle, y - 6, middle, y + 6, key.kind)
        case "dot":
            return svg_dot(middle, y, key.kind)
        case "box":
            return (
                f'<rect x="{x:.1f}" y="{y - 5:.1f}" width="{_SAMPLE}" height="10" '
                f'class="{key.kind}"/>'
            )
        case "diamond":
            return f'<path d="M{middle:.1f} {y - 5:.1f}l5 5l-5 5l-5 -5z" class="{key.kind}"/>'
