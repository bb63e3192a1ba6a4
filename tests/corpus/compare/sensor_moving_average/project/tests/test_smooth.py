from itertools import islice

import pytest

from sensors.smooth import moving_average, peak


@pytest.fixture
def pulses():
    return [(i * 7919) % 613 for i in range(160)]


@pytest.mark.parametrize("size", [10, 25, 60])
def test_count(pulses, size):
    assert len(list(moving_average(pulses, size))) == 161 - size


def test_values():
    assert list(moving_average([1, 2, 3, 6], 2)) == [1.5, 2.5, 4.5]


def test_one_by_one(pulses):
    stream = moving_average(pulses, 30)
    assert list(islice(stream, 2)) == [sum(pulses[:30]) / 30, sum(pulses[1:31]) / 30]


def test_bad_window():
    with pytest.raises(ValueError):
        next(moving_average([1], 0))


def test_peak(pulses):
    assert peak(pulses, 40) >= sum(pulses[:40]) / 40
    assert peak([], 3) == 0.0
