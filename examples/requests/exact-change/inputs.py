def generate_inputs():
    return {
        "basic": [[[1, 5, 10], 28], [[2, 3], 7], [[5, 10], 25], [[3, 5], 19], [[4, 9], 30]],
        "edge": [[[1], 0], [[50], 120], [[1], 120], [[50], 49]],
        "stress": [[[1, 2, 3, 4, 5, 6], 120], [[45, 46, 47, 48, 49, 50], 119]],
        "adversarial": [[[1, 3, 4], 6], [[1, 10, 25], 30], [[2, 4, 6], 7], [[9, 6, 1], 12]],
        "domain": [[[1, 2, 5, 10, 20, 50], 99], [[50, 20, 10, 5, 2, 1], 88]],
    }


def is_valid_input(coins, amount):
    return (
        1 <= len(coins) <= 6
        and len(set(coins)) == len(coins)
        and all(1 <= c <= 50 for c in coins)
        and 0 <= amount <= 120
    )
