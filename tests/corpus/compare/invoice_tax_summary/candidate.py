def tax_summary(lines: list[Line]) -> dict[int, Decimal]:
    """Tax by rate in percent, in the order in which the rates appear."""
    totals = {}
    zero = Decimal(0)
    for line in lines:
        rate = line.rate
        totals[rate] = totals.get(rate, zero) + line.price * line.quantity
    return {rate: to_cents(total * rate / 100) for rate, total in totals.items()}
