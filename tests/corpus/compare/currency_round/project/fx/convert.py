"""Exchange of currencies, in cents."""

PER_EURO = {"EUR": 1_000_000, "USD": 1_083_500, "GBP": 853_200, "CHF": 957_400, "JPY": 163_420_000}


def convert(cents: int, source: str, target: str) -> int:
    return (cents * PER_EURO[target] * 2 + PER_EURO[source]) // (PER_EURO[source] * 2)


def convert_all(amounts: list[tuple[int, str]], target: str) -> list[int]:
    """Amounts in one currency, rounded to the nearest cent.

    Raises:
        KeyError: A currency is unknown.
    """
    return [convert(cents, source, target) for cents, source in amounts]
