"""A row, the limits that keep memory bounded, and the errors for what exceeds them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from steelyard.errors import DatasetError
from steelyard.schemas import RowFault

CHUNK_BYTES: Final = 1 << 20
MAX_ROW_BYTES: Final = 256 << 20
"""Longest row, as JSON text. The rows of LiveCodeBench and CodeContests+ reach tens of MiB."""
MAX_RATIO: Final = 200
"""Compressed data may expand to this many times its size. Test data reaches about 100; deflate's
own limit is 1,032, which only a decompression bomb uses."""
RATIO_FLOOR_BYTES: Final = 16 << 20
"""Data up to this size may have any ratio."""


class RowError(ValueError):
    """A row cannot be read; the rows after it can."""


class FileError(Exception):
    """The rest of a file cannot be read."""


OnFault = Callable[[RowFault], None]
"""Receives each fault as it is found."""


@dataclass(frozen=True, slots=True)
class Row:
    """The fields of one row, and its position."""

    file: str
    number: int
    """From 1."""
    fields: Mapping[str, object]
    digest: str
    """SHA-256 of the row's JSON text, as it was read."""


def refuse(fault: RowFault) -> None:
    """Let a fault end the reading, as an `OnFault`.

    Raises:
        DatasetError: for the fault.
    """
    raise DatasetError(str(fault))
