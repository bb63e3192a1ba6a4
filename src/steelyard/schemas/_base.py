"""The bases of all records, and the types that many of them have.

`Record` is frozen. `Given` is what callers construct. `Message` is the envelope of the solve loop.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Self

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    StringConstraints,
    ValidationError,
)
from pydantic_core import CoreSchema, core_schema

from steelyard._printable import nearest
from steelyard.errors import UsageError

SCHEMA_VERSION: Final = "1.0.0"

_set = object.__setattr__


class Record(BaseModel):
    """A frozen record that refuses unknown fields. Bytes become UTF-8 text in JSON."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_bytes="utf8", defer_build=True)

    @classmethod
    def of_valid(cls, **fields: Any) -> Self:
        """Make a record without validation, from all its fields, which are known to be valid.

        For records that are made with every run: validation and defaults cost as much as all else.
        """
        record = cls.__new__(cls)
        _set(record, "__dict__", fields)
        _set(record, "__pydantic_fields_set__", set(fields))
        _set(record, "__pydantic_extra__", None)
        _set(record, "__pydantic_private__", None)
        return record


class Given(Record):
    """A record that callers construct: an invalid value is one line with the field's name.

    Only the constructor raises that. Readers of files use `model_validate`, and name the place.
    """

    def __init__(self, /, **data: Any) -> None:
        try:
            super().__init__(**data)
        except ValidationError as error:
            raise UsageError(fault_of_record(error, data, type(self))) from error

    # Pydantic then still builds nested records itself.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]


_REASONS = {
    "tuple_type": "input should be a list",
    "path_type": "input should be a path",
}
"""Reasons that Pydantic gives in words of Python, which a file or a request need not know."""


def fault_of_record(
    error: ValidationError, data: object, model: type[BaseModel], called: str = ""
) -> str:
    """Return the first fault of a record as one line: the field, the reason, the value.

    Args:
        error: The faults that Pydantic found.
        data: The fields, as they were given.
        model: The record's class.
        called: The record's name; empty for that of its class.
    """
    record = called or model.__name__
    first = error.errors()[0]
    path = list(_path(first["loc"], data))
    if first["type"] == "missing":
        path.append(str(first["loc"][-1]))
    name = ".".join(path)
    if first["type"] == "extra_forbidden":
        near = nearest(path[-1], model.model_fields) if len(path) == 1 else ""
        return f"unknown field {name!r} of {record}{near or '; omit it'}"
    if first["type"] == "missing":
        return f"{name} is missing; {record} needs it"
    reason = _REASONS.get(first["type"]) or first["msg"].removeprefix("Value error, ")
    reason = f"{reason[:1].lower()}{reason[1:]}"
    if not name or (first["type"] == "value_error" and ", got " in reason):
        return f"{name}: {reason}".removeprefix(": ")
    return f"{name}: {reason}, got {first['input']!r}"


def _path(location: Sequence[int | str], data: object) -> Iterator[str]:
    """Yield the parts of a location that lead through the data; others name a union's member."""
    for part in location:
        match data:
            case {**fields} if part in fields:
                data = fields[part]
            case [*items] if isinstance(part, int) and part < len(items):
                data = items[part]
            case _:
                continue
        yield str(part)


def in_utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC)


def _as_text(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


UtcTime = Annotated[
    AwareDatetime, AfterValidator(in_utc), PlainSerializer(_as_text, when_used="json")
]
"""A time with a time zone, stored in UTC; `2026-07-24T20:41:11.000Z` in JSON."""

if TYPE_CHECKING:
    Day = date
else:

    class Day:
        """A `date`. Records that are first used while a test has frozen the time have it, too.

        Pydantic knows no fields of the type that then takes the name of `datetime.date`.
        """

        @classmethod
        def __get_pydantic_core_schema__(cls, _source: object, _handler: Any) -> CoreSchema:
            return core_schema.date_schema()


Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


def utc_now() -> datetime:
    """Return the current time in whole milliseconds, which JSON preserves."""
    now = datetime.now(UTC)
    return now.replace(microsecond=now.microsecond // 1000 * 1000)


class Message(Record):
    """A message between parts of the solve loop: a payload with this envelope."""

    task_id: str = ""
    """The id of the problem; empty outside the solve loop."""
    iteration: int = Field(default=0, ge=0)
    """The loop's iteration, from 0."""
    timestamp_utc: UtcTime = Field(default_factory=utc_now)
    schema_version: Literal["1.0.0"] = SCHEMA_VERSION
