def charges(readings_kwh: list[float], price: float, tax: float) -> list[float]:
    """What each reading costs, tax included."""
    factor = price * tax
    return [kwh * factor for kwh in readings_kwh]
