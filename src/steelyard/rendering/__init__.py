"""Draw reports: escaped texts, figures, SVG and the page."""

from steelyard._homes import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from steelyard.rendering._axis import Axis
    from steelyard.rendering._chart import Chart, Dots, Line, Outline, Target
    from steelyard.rendering._drawing import svg_chart
    from steelyard.rendering._figures import (
        count,
        counted,
        mebibytes,
        milliseconds,
        percent,
        three_digits,
    )
    from steelyard.rendering._page import PAGE_STYLE, document, escaped
    from steelyard.rendering._svg import (
        LINE_HEIGHT,
        Key,
        svg_dot,
        svg_legend,
        svg_line,
        svg_text,
        svg_ticks,
        text_width,
    )
    from steelyard.rendering._visible import clause, visible, visible_lines
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
