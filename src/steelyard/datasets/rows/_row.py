"""One row as it was read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from steelyard.errors import DatasetError
from steelyard.schemas import RowFault

__all__ = ["OnFault", "Row", "refuse"]

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
