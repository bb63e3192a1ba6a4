"""Invoices of a small shop."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """One line of an invoice."""

    customer: str
    cents: int


def totals_by_customer(lines: list[Line]) -> dict[str, int]:
    """What each customer owes, in the order of their first lines."""
    totals = {}
    for line in lines:
        total = 0
        for other in lines:
            if other.customer == line.customer:
                total += other.cents
        totals[line.customer] = total
    return totals
