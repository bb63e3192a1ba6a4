def generate_inputs():
    chance = random.Random(1)
    return {
        "basic": [[[chance.randint(1, 9) for _ in range(n)], 10] for n in range(1, 8)],
        "edge": [[[], 1], [[1], 1], [[100_000], 100_000], [[1] * 12, 1], [[1] * 12, 12]],
        "stress": ["[[1] * 5000, 100000]", "[[9, 8, 7] * 2000, 100000]"],
        "adversarial": [[[5, 5, 1], 10], [[10, 1], 10], [[1, 10], 10], [[5, 6, 5], 10]],
        "domain": [[[3, 4, 3, 4], 7], [[7, 7, 7], 7]],
    }


def is_valid_input(weights, limit):
    return (
        1 <= limit <= 100_000 and len(weights) <= 30_000 and all(1 <= w <= limit for w in weights)
    )
