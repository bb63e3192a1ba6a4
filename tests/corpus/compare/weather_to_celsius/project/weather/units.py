"""Units of measurement."""


def celsius(fahrenheit: float) -> float:
    return (fahrenheit - 32.0) / 1.8


def to_celsius(readings: list[float]) -> list[float]:
    """Readings in degrees Fahrenheit as degrees Celsius."""
    result = []
    for reading in readings:
        result.append(celsius(reading))
    return result


def mean_celsius(readings: list[float]) -> float:
    values = to_celsius(readings)
    return sum(values) / len(values)
