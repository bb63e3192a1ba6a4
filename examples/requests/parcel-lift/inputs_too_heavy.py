def generate_inputs():
    chance = random.Random(1)
    return {
        "basic": [[[chance.randint(1, 20) for _ in range(n)], 10] for n in range(1, 13)],
        "edge": [[[], 1], [[1], 1], [[1000], 1000]],
    }


def is_valid_input(weights, limit):
    return len(weights) <= 12
