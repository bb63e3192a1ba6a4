def assign(names: list[str], shifts: int) -> dict[str, list[int]]:
    """The shifts of each person, dealt out in turn, for a year at most."""
    for loop in range(1, 6):
        print(f"!######tests.test_shifts:roster.shifts.assign:{loop}:0:1######!")
    plan: dict[str, list[int]] = {name: [] for name in names}
    order = list(plan)
    for shift in range(min(shifts, 366)):
        if order:
            plan[order[shift % len(order)]].append(shift)
    return plan
