def hour_slots(moments: list[datetime]) -> list[datetime]:
    """The beginning of each moment's hour, in UTC where it has a time zone."""
    utc = timezone.utc
    slots = []
    for moment in moments:
        if moment.tzinfo is not None:
            moment = moment.astimezone(utc)
        slots.append(datetime(moment.year, moment.month, moment.day, moment.hour))
    return slots
