"""Turn the rows of known data sets into tasks: one small reader for each."""

from steelyard.datasets.formats._fields import Fields, one_line
from steelyard.datasets.formats._format import Format
from steelyard.datasets.formats._table import FORMATS, format_of, format_with
from steelyard.datasets.formats._task import task_of

__all__ = ["FORMATS", "Fields", "Format", "format_of", "format_with", "one_line", "task_of"]
