import random
def generate(n, seed):
    """n random piles"""
    r = random.Random(seed * 1000003 + n)
    return f"{n}\n" + " ".join(map(str, r.choices(range(1000, 10000), k=n))) + "\n"
