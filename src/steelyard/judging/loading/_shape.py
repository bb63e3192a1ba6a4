"""The keys of a case for one entry of a program."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from steelyard.schemas import Entry


class FieldsOf(Protocol):
    """Turns the fields of a case into those of `TestCase`."""

    def __call__(
        self, fields: dict[Any, Any], entry: Entry, *, from_json: bool
    ) -> Mapping[Any, Any]:
        """Raise ValueError, with what to fix, if they contradict each other."""
        ...


@dataclass(frozen=True, slots=True)
class Shape:
    """The keys of a case in addition to the keys of every case."""

    keys: tuple[str, ...]
    misnomers: Mapping[str, str]
    """Wrong keys that people write, with the right key."""
    example: str
    fault_of: Callable[[Mapping[object, object]], str]
    """Returns the fault in these keys; empty if there is none."""
    fields_of: FieldsOf
