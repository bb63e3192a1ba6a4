"""Where the weather stations are."""

import math
from typing import NamedTuple

EARTH_KM = 6371.0088


class Station(NamedTuple):
    code: str
    latitude: float
    longitude: float


def haversine(lat1: float, lon1: float, lat2: float, lon2: float) -> float:
    """Kilometres along the great circle."""
    phi1, phi2 = math.radians(lat1), math.radians(lat2)
    lam1, lam2 = math.radians(lon1), math.radians(lon2)
    first = math.sin((phi2 - phi1) / 2)
    second = math.sin((lam2 - lam1) / 2)
    inner = first * first + math.cos(phi1) * math.cos(phi2) * (second * second)
    return 2 * EARTH_KM * math.asin(math.sqrt(min(1.0, inner)))


def distances(stations: list[Station], latitude: float, longitude: float) -> dict[str, float]:
    """Kilometres from a place to each station, by the station's code."""
    result = {}
    for station in stations:
        result[station.code] = haversine(latitude, longitude, station.latitude, station.longitude)
    return result
