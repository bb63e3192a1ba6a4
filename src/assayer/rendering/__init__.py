"""What every report is drawn with: texts made harmless, figures, SVG, the page, plain JSON."""

from assayer.rendering._axis import Axis
from assayer.rendering._figures import count, mebibytes, milliseconds, percent, three_digits
from assayer.rendering._json import plain_json
from assayer.rendering._page import document, escaped
from assayer.rendering._svg import svg_dot, svg_line, svg_text
from assayer.rendering._visible import visible, visible_lines

__all__ = [
    "Axis",
    "count",
    "document",
    "escaped",
    "mebibytes",
    "milliseconds",
    "percent",
    "plain_json",
    "svg_dot",
    "svg_line",
    "svg_text",
    "three_digits",
    "visible",
    "visible_lines",
]
