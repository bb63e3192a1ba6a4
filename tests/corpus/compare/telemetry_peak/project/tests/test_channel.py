import math

import pytest

from telemetry.channel import alarm, peak


@pytest.fixture
def readings():
    return [20.0 + (i * 37 % 101) / 10 for i in range(250)]


def test_peak(readings):
    assert peak(readings) == 30.0


def test_negative():
    assert peak([-3.5, -1.25, -9.0]) == -1.25


def test_none():
    assert peak([]) == -math.inf


@pytest.mark.parametrize("limit, answer", [(25.0, True), (30.0, False)])
def test_alarm(readings, limit, answer):
    assert alarm(readings, limit) is answer
