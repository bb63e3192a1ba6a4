"""Show a profile on a terminal, as a picture and as a page.

The words, figures and charts are made once; the three forms differ only in how they draw them.
"""

from steelyard.profiling.reporting._figure import plot
from steelyard.profiling.reporting._page import STYLE, comparison_page, page, sections
from steelyard.profiling.reporting._terminal import ComparisonView, CurveView, ReportView
from steelyard.profiling.reporting._words import headline

__all__ = [
    "STYLE",
    "ComparisonView",
    "CurveView",
    "ReportView",
    "comparison_page",
    "headline",
    "page",
    "plot",
    "sections",
]
