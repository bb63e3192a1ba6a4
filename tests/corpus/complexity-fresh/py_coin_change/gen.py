import random
def generate(n, seed, m=None):
    """n coins, the amount m"""
    m = n if m is None else m
    r = random.Random(seed * 1000003 + n * 31 + m)
    return f"{n} {m}\n" + " ".join(str(r.randint(1, m)) for _ in range(n)) + "\n"
