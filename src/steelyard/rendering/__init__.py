"""What every report is drawn with: texts made harmless, figures, SVG, the page."""

from steelyard.rendering._axis import Axis
from steelyard.rendering._figures import count, mebibytes, milliseconds, percent, three_digits
from steelyard.rendering._page import document, escaped
from steelyard.rendering._svg import svg_dot, svg_line, svg_text
from steelyard.rendering._visible import visible, visible_lines

__all__ = [
    "Axis",
    "count",
    "document",
    "escaped",
    "mebibytes",
    "milliseconds",
    "percent",
    "svg_dot",
    "svg_line",
    "svg_text",
    "three_digits",
    "visible",
    "visible_lines",
]
