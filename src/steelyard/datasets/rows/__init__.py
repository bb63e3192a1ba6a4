"""Read the rows of files, one at a time: JSON, JSONL, gzip, parquet, folders, a hub's data sets.

A row is known here by its fields only; `steelyard.datasets.formats` knows their meaning.
"""

from steelyard.datasets.rows._html import markdown_of, tidy
from steelyard.datasets.rows._json import decode_json
from steelyard.datasets.rows._limits import (
    MAX_RATIO,
    MAX_ROW_BYTES,
    RATIO_FLOOR_BYTES,
    OnFault,
    Row,
    RowError,
    refuse,
)
from steelyard.datasets.rows._read import HUB_PREFIX, read_rows
from steelyard.datasets.rows._tables import require

__all__ = [
    "HUB_PREFIX",
    "MAX_RATIO",
    "MAX_ROW_BYTES",
    "RATIO_FLOOR_BYTES",
    "OnFault",
    "Row",
    "RowError",
    "decode_json",
    "markdown_of",
    "read_rows",
    "refuse",
    "require",
    "tidy",
]
