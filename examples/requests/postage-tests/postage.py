"""Postage of parcels."""


def postage(grams, express=False):
    """Return the price in cents; parcels weigh from 1 to 2,000 grams."""
    if not 1 <= grams <= 2000:
        raise ValueError("a parcel weighs from 1 to 2000 grams")
    price = 400 if grams <= 500 else 700
    return price + 250 if express else price
