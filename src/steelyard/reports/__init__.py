"""Show what jobs report: blocks, as lines of a terminal, an HTML page, Markdown or a picture.

A job's view returns blocks, the result first. Nothing here knows a job.
"""

from steelyard._homes import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from steelyard.reports._blocks import (
        Block,
        Cell,
        Charts,
        Code,
        Column,
        Columns,
        Diff,
        Drawing,
        Facts,
        Figure,
        Figures,
        Fold,
        Heading,
        Headline,
        Items,
        Line,
        Note,
        Span,
        Table,
        Tally,
        Text,
        plain,
        spans,
    )
    from steelyard.reports._chart import (
        LINEAR_BELOW,
        Axis,
        Chart,
        Dots,
        Outline,
        Target,
        Trace,
        linear_axis,
        log_axis,
        rounded_out,
        size_axis,
    )
    from steelyard.reports._markdown import csv_text, markdown
    from steelyard.reports._page import environment, html, page, style
    from steelyard.reports._picture import draw
    from steelyard.reports._svg import svg_chart
    from steelyard.reports._terminal import in_ascii, print_blocks, terminal_lines
    from steelyard.reports._text import (
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
    "LINEAR_BELOW",
    "Axis",
    "Block",
    "Cell",
    "Chart",
    "Charts",
    "Code",
    "Column",
    "Columns",
    "Diff",
    "Dots",
    "Drawing",
    "Facts",
    "Figure",
    "Figures",
    "Fold",
    "Heading",
    "Headline",
    "Items",
    "Line",
    "Note",
    "Outline",
    "Span",
    "Table",
    "Tally",
    "Target",
    "Text",
    "Trace",
    "clause",
    "count",
    "counted",
    "csv_text",
    "draw",
    "environment",
    "html",
    "in_ascii",
    "linear_axis",
    "log_axis",
    "markdown",
    "mebibytes",
    "milliseconds",
    "page",
    "percent",
    "plain",
    "print_blocks",
    "rounded_out",
    "size_axis",
    "spans",
    "style",
    "svg_chart",
    "terminal_lines",
    "three_digits",
    "visible",
    "visible_lines",
]
