"""Show a comparison on a terminal and as a page.

Words and figures are made once (`_words`, `_cases`); the forms for people only
differ in how they draw it. Whatever came from the project or the candidate is made printable, cut
to a length that a reader can take in, and escaped.
"""

from steelyard.equivalence.reporting._page import comparison_page, sections
from steelyard.equivalence.reporting._page_style import STYLE
from steelyard.equivalence.reporting._terminal import ComparisonView
from steelyard.equivalence.reporting._words import times_as_fast

__all__ = ["STYLE", "ComparisonView", "comparison_page", "sections", "times_as_fast"]
