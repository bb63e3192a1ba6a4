import random


def generate_inputs():
    return {"basic": [[[random.randint(1, 9)], 9] for _ in range(30)]}


def is_valid_input(weights, limit):
    return all(w <= limit for w in weights)
