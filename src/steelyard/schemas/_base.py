"""The base of all records."""

from collections.abc import Iterator, Sequence
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from steelyard._printable import nearest
from steelyard.errors import UsageError

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
