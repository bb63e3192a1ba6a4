def to_celsius(readings: list[float]) -> list[float]:
    """Readings in degrees Fahrenheit as degrees Celsius."""
    factor = 1 / 1.8
    return [(reading - 32.0) * factor for reading in readings]
