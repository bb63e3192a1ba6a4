"""Invoices and what the tax office wants to know of them."""

from dataclasses import dataclass
from decimal import Decimal

from billing.money import to_cents


@dataclass(frozen=True)
class Line:
    article: str
    quantity: int
    price: Decimal
    rate: int

    @property
    def net(self) -> Decimal:
        return self.price * self.quantity


def tax_summary(lines: list[Line]) -> dict[int, Decimal]:
    """Tax by rate in percent, in the order in which the rates appear."""
    rates = []
    for line in lines:
        if line.rate not in rates:
            rates.append(line.rate)
    summary = {}
    for rate in rates:
        total = Decimal(0)
        for line in lines:
            if line.rate == rate:
                total = total + line.net
        summary[rate] = to_cents(total * rate / 100)
    return summary


def gross(lines: list[Line]) -> Decimal:
    net = sum((line.net for line in lines), Decimal(0))
    return to_cents(net + sum(tax_summary(lines).values()))
