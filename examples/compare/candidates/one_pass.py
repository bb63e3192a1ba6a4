def totals_by_customer(lines: list[Line]) -> dict[str, int]:
    totals = {}
    for line in lines:
        totals[line.customer] = totals.get(line.customer, 0) + line.cents
    return totals
