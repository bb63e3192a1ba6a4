"""A diary in slots of an hour."""

from datetime import datetime, timedelta, timezone


def hour_slots(moments: list[datetime]) -> list[datetime]:
    """The beginning of each moment's hour, in UTC where it has a time zone."""
    slots = []
    for moment in moments:
        if moment.tzinfo is not None:
            moment = moment.astimezone(timezone.utc)
        past = timedelta(minutes=moment.minute, seconds=moment.second, microseconds=moment.microsecond)
        slots.append(moment - past)
    return slots


def busy_hours(moments: list[datetime]) -> int:
    return len(set(hour_slots(moments)))
