def distances(stations: list[Station], latitude: float, longitude: float) -> dict[str, float]:
    """Kilometres from a place to each station, by the station's code."""
    radians, sin, cos, asin, sqrt = math.radians, math.sin, math.cos, math.asin, math.sqrt
    phi1, lam1 = radians(latitude), radians(longitude)
    cos1 = cos(phi1) if stations else 1.0
    twice = 2 * EARTH_KM
    result = {}
    for code, lat2, lon2 in stations:
        phi2 = radians(lat2)
        first = sin((phi2 - phi1) / 2)
        second = sin((radians(lon2) - lam1) / 2)
        inner = first * first + cos1 * cos(phi2) * (second * second)
        result[code] = twice * asin(sqrt(inner if inner < 1.0 else 1.0))
    return result
