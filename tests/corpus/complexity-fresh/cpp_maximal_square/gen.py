import random
def generate(n, seed, m=None):
    """n rows of m cells, four of five are 1"""
    m = n if m is None else m
    r = random.Random(seed * 1000003 + n * 31 + m)
    return f"{n} {m}\n" + "\n".join("".join(r.choices("01111", k=m)) for _ in range(n)) + "\n"
