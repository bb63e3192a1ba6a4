"""Draw reports: escaped texts, figures, SVG and the page."""

from steelyard._homes import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from steelyard.rendering._chart import (
        LINE_HEIGHT,
        Axis,
        Chart,
        Dots,
        Key,
        Line,
        Outline,
        Target,
        svg_chart,
        svg_dot,
        svg_legend,
        svg_line,
        svg_text,
        svg_ticks,
        text_width,
    )
    from steelyard.rendering._page import PAGE_STYLE, document, escaped
    from steelyard.rendering._text import (
        clause,
        count,
        counted,
        mebibytes,
        milliseconds,
        percent,
        three_digits,
        visible,
        visible_lines,
    )
else:
    __getattr__, __dir__ = lazy_face(__name__)

__all__ = [
    "LINE_HEIGHT",
    "PAGE_STYLE",
    "Axis",
    "Chart",
    "Dots",
    "Key",
    "Line",
    "Outline",
    "Target",
    "clause",
    "count",
    "counted",
    "document",
    "escaped",
    "mebibytes",
    "milliseconds",
    "percent",
    "svg_chart",
    "svg_dot",
    "svg_legend",
    "svg_line",
    "svg_text",
    "svg_ticks",
    "text_width",
    "three_digits",
    "visible",
    "visible_lines",
]
