import random
def generate(n, seed):
    """n random points"""
    r = random.Random(seed * 1000003 + n)
    lo, hi = 100000000, 999999999
    return f"{n}\n" + "\n".join(f"{r.randint(lo, hi)} {r.randint(lo, hi)}" for _ in range(n)) + "\n"
