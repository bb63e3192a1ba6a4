"""The base of all jobs' results."""

import json
from abc import ABC, abstractmethod
from typing import Any, ClassVar

from pydantic import Field, model_validator
from pydantic_core import PydanticSerializationError

from steelyard._printable import printable
from steelyard.schemas._base import Record
from steelyard.schemas._execution import Isolation
from steelyard.schemas._strict_json import plain_json


class Report(Record, ABC):
    """A job's result. Each job adds fields; these and the methods are the same for all."""

    derived: ClassVar[tuple[str, ...]] = ("passed",)
    """Properties that JSON has in addition to the fields. Reading a report back drops them."""

    notes: tuple[str, ...] = ()
    """Notes for the reader, one line each."""
    seconds: float = Field(default=0.0, ge=0)
    """Duration of the whole job."""
    isolation: Isolation | None = None
    """The program's isolation; None if nothing was run."""

    @model_validator(mode="before")
    @classmethod
    def _without_derived(cls, data: object) -> object:
        if isinstance(data, dict):
            return {name: value for name, value in data.items() if name not in cls.derived}
        return data

    @property
    @abstractmethod
    def passed(self) -> bool:
        """True if the program passed; only then the command's exit status is 0."""

    def __str__(self) -> str:
        """Return a few short lines for people, with control characters as escapes."""
        return "\n".join(map(printable, self._summary().splitlines()))

    @abstractmethod
    def _summary(self) -> str:
        """Return these lines; the program may have written parts of them."""

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain JSON values: its fields, and the properties in `derived`."""
        return plain_json(self) | self._more()

    def _more(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.derived}

    def to_json(self) -> str:
        """Return the report as the JSON object that the command prints with `--json`.

        `model_validate_json` of the same class reads it back.
        """
        return json.dumps(self.to_dict(), indent=2)

    def to_json_line(self) -> str:
        """Return the same JSON object on one line, as the service sends it."""
        try:
            text = self.model_dump_json(by_alias=True)
        except PydanticSerializationError:  # half of a surrogate pair
            return json.dumps(self.to_dict(), separators=(",", ":"))
        more = json.dumps(self._more(), separators=(",", ":"))
        return f"{text[:-1]},{more[1:]}"

    def _repr_html_(self) -> str:
        """Return the report as HTML, which notebooks show."""
        import html  # only notebooks need it  # noqa: PLC0415

        verdict = "passed" if self.passed else "did not pass"
        notes = "".join(f"<li>{html.escape(printable(note))}</li>" for note in self.notes)
        return (
            f"<div><strong>{type(self).__name__}: {verdict}</strong>"
            f"<pre>{html.escape(str(self))}</pre>{notes and f'<ul>{notes}</ul>'}</div>"
        )
