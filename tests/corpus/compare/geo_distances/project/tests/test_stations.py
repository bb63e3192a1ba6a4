import pytest

from geo.stations import Station, distances

STATIONS = [Station(f"S{i:03}", -60 + i * 0.7, -170 + i * 1.9) for i in range(180)]


@pytest.mark.parametrize("place", [(0.0, 0.0), (52.5, 13.4), (-33.9, 151.2)])
def test_all_stations(place):
    found = distances(STATIONS, *place)
    assert len(found) == 180
    assert all(0 <= value < 20016 for value in found.values())


def test_quarter_of_the_way():
    found = distances([Station("P", 90.0, 0.0)], 0.0, 0.0)
    assert found["P"] == pytest.approx(10007.56, abs=0.1)


def test_zero():
    assert distances([Station("A", 48.1, 11.5)], 48.1, 11.5) == {"A": 0.0}


def test_none():
    assert distances([], 1.0, 2.0) == {}
