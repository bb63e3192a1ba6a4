def generate_inputs():
    return {
        "basic": [[[1, 3, 5, 7], new] for new in range(9)],
        "edge": [[[], 0], [[-100], -100], [[100], 100], [[100], -100]],
        "stress": ["[[0] * 15, 0]", "[[0] * 15, 1]"],
        "adversarial": [[[2, 2, 2], 2], [[1, 2, 2, 3], 2], [[1, 1, 3], 2]],
        "domain": [[[-3, -2, -1], -2], [[5, 6], 7], [[5, 6], 4]],
    }


def is_valid_input(tickets, new):
    return (
        len(tickets) <= 15
        and all(-100 <= t <= 100 for t in [*tickets, new])
        and sorted(tickets) == tickets
    )
