"""How a case is written for one way into a program."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from steelyard.schemas import Entry


class FieldsOf(Protocol):
    """Turns the fields of a case into those of `TestCase`."""

    def __call__(
        self, fields: dict[Any, Any], entry: Entry, *, from_json: bool
    ) -> Mapping[Any, Any]:
        """Raises ValueError, with what to fix, where they do not fit together."""
        ...


@dataclass(frozen=True, slots=True)
class Shape:
    """The keys of a case beside those that every case may have."""

    keys: tuple[str, ...]
    misnomers: Mapping[str, str]
    """What people write instead."""
    example: str
    fault_of: Callable[[Mapping[object, object]], str]
    """What is wrong with these keys; empty if nothing is."""
    fields_of: FieldsOf
