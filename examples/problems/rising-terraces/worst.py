"""Terraces that fall all the way: each one pushes through the whole heap."""


def generate(n: int, seed: int) -> str:
    """A hillside of n terraces."""
    first = 10**9 - seed % 1_000
    return f"{n}\n" + " ".join(str(first - index) for index in range(n)) + "\n"
