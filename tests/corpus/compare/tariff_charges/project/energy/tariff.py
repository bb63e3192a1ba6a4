"""Electricity bills."""


def charge(kwh: float, price: float, tax: float) -> float:
    return kwh * price * tax


def charges(readings_kwh: list[float], price: float, tax: float) -> list[float]:
    """What each reading costs, tax included."""
    result = []
    for kwh in readings_kwh:
        result.append(charge(kwh, price, tax))
    return result
