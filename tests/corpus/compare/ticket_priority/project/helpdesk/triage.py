"""Which tickets come first."""

from dataclasses import dataclass, field


@dataclass
class Ticket:
    number: int
    age_h: int
    tags: tuple[str, ...] = ()
    closed: bool = False


@dataclass
class Queue:
    tickets: list[Ticket] = field(default_factory=list)

    def urgent(self, limit_h: int) -> list[int]:
        """Numbers of open tickets that are too old or block someone."""
        numbers = []
        for ticket in self.tickets:
            if not ticket.closed:
                if ticket.age_h > limit_h or "blocker" in ticket.tags:
                    numbers.append(ticket.number)
        return numbers
