"""Discounts by the size of an order."""

TIERS = ((50, 20), (20, 10), (5, 5))


def discounted(quantities: list[int], price_cents: int) -> list[int]:
    """The price of each quantity in cents, with its tier's discount in percent."""
    prices = []
    for quantity in quantities:
        percent = 0
        for least, tier in TIERS:
            if quantity >= least:
                percent = tier
                break
        prices.append(quantity * price_cents * (100 - percent) // 100)
    return prices
