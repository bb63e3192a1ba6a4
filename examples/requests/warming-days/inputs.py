def generate_inputs():
    chance = random.Random(1)
    return {
        "basic": [[[chance.randint(-9, 9) for _ in range(n)]] for n in range(2, 8)],
        "edge": [[[]], [[0]], [[60, -60]], [[-60, 60]], [[7, 7]]],
        "stress": ["[[0, 1] * 6]", "[[60] * 12]"],
        "adversarial": [[[1, 2, 3, 3, 4, 5, 6]], [[1, 2, 1, 2, 3]], [[5, 4, 3, 2, 1]]],
        "domain": [[list(range(-6, 6))], [list(range(6, -6, -1))]],
    }


def is_valid_input(temps):
    return len(temps) <= 12 and all(-60 <= t <= 60 for t in temps)
