"""Reserving stock for orders."""


def reserve(stock: dict[str, int], wanted: dict[str, int]) -> dict[str, int]:
    """What can be had of what is wanted; the stock stays as it is."""
    reserved = {}
    for article, count in wanted.items():
        available = stock.get(article, 0)
        reserved[article] = min(count, available)
    return reserved


def missing(stock: dict[str, int], wanted: dict[str, int]) -> list[str]:
    got = reserve(stock, wanted)
    return [article for article, count in wanted.items() if got[article] < count]
