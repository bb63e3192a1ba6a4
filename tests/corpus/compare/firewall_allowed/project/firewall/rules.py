"""A packet filter."""

from typing import NamedTuple


class Rule(NamedTuple):
    prefix: str
    port: int


class Firewall:
    """What may come in."""

    def __init__(self, rules: list[Rule]) -> None:
        self.rules = rules

    def allows(self, address: str, port: int) -> bool:
        """Whether a rule lets the packet in."""
        allowed = False
        for rule in self.rules:
            if address.startswith(rule.prefix) and rule.port == port:
                allowed = True
        return allowed

    def filter(self, packets: list[tuple[str, int]]) -> list[tuple[str, int]]:
        return [packet for packet in packets if self.allows(*packet)]
