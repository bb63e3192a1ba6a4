import random
def generate(n, seed):
    """n random points"""
    r = random.Random(seed * 1000003 + n)
    return f"{n}\n" + "\n".join(f"{r.randint(100, 999)} {r.randint(100, 999)}" for _ in range(n)) + "\n"
