"""Turn the rows of known data sets into tasks: most formats are a mapping of columns."""

from steelyard.datasets.formats._columns import check_columns
from steelyard.datasets.formats._fields import Fields, markdown_of, one_line, tidy
from steelyard.datasets.formats._known_formats import FORMATS, Format, format_of, formats_for
from steelyard.datasets.formats._task import Mapped, mapped_columns, task_of

__all__ = [
    "FORMATS",
    "Fields",
    "Format",
    "Mapped",
    "check_columns",
    "format_of",
    "formats_for",
    "mapped_columns",
    "markdown_of",
    "one_line",
    "task_of",
    "tidy",
]
