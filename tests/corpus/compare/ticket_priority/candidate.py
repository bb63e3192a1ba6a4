def urgent(self, limit_h: int) -> list[int]:
    """Numbers of open tickets that are too old or block someone."""
    numbers = []
    for ticket in self.tickets:
        if ticket.closed:
            continue
        if ticket.age_h > limit_h or "blocker" in ticket.tags:
            numbers.append(ticket.number)
    return numbers
