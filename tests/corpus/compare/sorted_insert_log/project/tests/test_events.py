import pytest

from timeline.events import Event, gaps, timeline


@pytest.fixture
def events():
    return [Event(i * 7919 % 97, f"event {i}") for i in range(120)]


def test_ordered(events):
    seconds = [event.second for event in timeline(events)]
    assert seconds == sorted(seconds)


def test_stable(events):
    same = [event.text for event in timeline(events) if event.second == 0]
    assert same == ["event 0", "event 97"]


def test_already_in_order():
    events = [Event(i, "tick") for i in range(80)]
    assert timeline(events) == events


def test_gaps():
    assert gaps([Event(9, "c"), Event(1, "a"), Event(4, "b")]) == [3, 5]
    assert gaps([]) == []
