"""Show a profile on a terminal, as a picture and as a page.

What is said, in words and figures, and what each chart shows are made once, and the three forms for
people only differ in how they draw it.
"""

from steelyard.profiling.reporting._figure import plot
from steelyard.profiling.reporting._page import comparison_page, page
from steelyard.profiling.reporting._terminal import ComparisonView, CurveView, ReportView

__all__ = [
    "ComparisonView",
    "CurveView",
    "ReportView",
    "comparison_page",
    "page",
    "plot",
]
