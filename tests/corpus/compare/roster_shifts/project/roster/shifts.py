"""Shifts of a team."""


def assign(names: list[str], shifts: int) -> dict[str, list[int]]:
    """The shifts of each person, dealt out in turn, for a year at most."""
    plan: dict[str, list[int]] = {name: [] for name in names}
    order = list(plan)
    for shift in range(min(shifts, 366)):
        if order:
            plan[order[shift % len(order)]].append(shift)
    return plan


def load(names: list[str], shifts: int) -> int:
    return max((len(own) for own in assign(names, shifts).values()), default=0)
