def discounted(quantities: list[int], price_cents: int) -> list[int]:
    """What each quantity costs in cents, once the percentage of its tier is taken off."""
    amounts = []
    for count in quantities:
        reduction = 0
        for threshold, share in TIERS:
            if count >= threshold:
                reduction = share
                break
        amounts.append(count * price_cents * (100 - reduction) // 100)
    return amounts
