"""The envelope of all messages of the solve loop."""

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import AfterValidator, AwareDatetime, Field, PlainSerializer
from pydantic_core import CoreSchema, core_schema

from steelyard.schemas._base import Record

SCHEMA_VERSION: Final = "1.0.0"


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
