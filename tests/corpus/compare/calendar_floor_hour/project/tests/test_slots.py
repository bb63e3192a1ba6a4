from datetime import datetime, timedelta, timezone

import pytest

from diary.slots import busy_hours, hour_slots


@pytest.fixture(params=[0, 2, -5])
def moments(request):
    zone = timezone(timedelta(hours=request.param))
    return [datetime(2024, 3, 1, 8, 15, 30, tzinfo=zone) + timedelta(minutes=17 * i) for i in range(60)]


def test_full_hours(moments):
    assert all(slot.minute == slot.second == 0 for slot in hour_slots(moments))


def test_utc():
    moment = datetime(2024, 3, 1, 0, 30, tzinfo=timezone(timedelta(hours=2)))
    assert [(slot.day, slot.hour) for slot in hour_slots([moment])] == [(29, 22)]


def test_without_zone():
    assert hour_slots([datetime(2024, 3, 1, 8, 59)]) == [datetime(2024, 3, 1, 8)]


def test_busy(moments):
    assert busy_hours(moments) == 17
