import pytest

from weather.units import mean_celsius, to_celsius


@pytest.mark.parametrize("fahrenheit, celsius", [(32.0, 0.0), (212.0, 100.0), (-40.0, -40.0)])
def test_known(fahrenheit, celsius):
    assert to_celsius([fahrenheit] * 50) == pytest.approx([celsius] * 50)


def test_a_year():
    readings = [20.0 + i * 37 % 800 / 10 for i in range(365)]
    assert len(to_celsius(readings)) == 365


def test_none():
    assert to_celsius([]) == []


def test_mean():
    assert mean_celsius([50.0 + i % 3 for i in range(99)]) == pytest.approx(10.5555555)
