from itertools import groupby


def totals_by_customer(lines: list[Line]) -> dict[str, int]:
    by_customer = sorted(lines, key=lambda line: line.customer)
    groups = groupby(by_customer, key=lambda line: line.customer)
    return {customer: sum(line.cents for line in group) for customer, group in groups}
