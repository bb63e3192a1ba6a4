"""Parts of an SVG chart, whose colours come from the page's style sheet by their class."""

from html import escape

__all__ = ["svg_dot", "svg_line", "svg_text"]


def svg_text(x: float, y: float, text: str, kind: str, anchor: str = "start") -> str:
    """A text, escaped; `anchor`: which of its ends lies at x."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{escape(text)}</text>'
    )


def svg_line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """A straight line."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def svg_dot(x: float, y: float, kind: str) -> str:
    """A measured figure."""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.4" class="{kind}"/>'
