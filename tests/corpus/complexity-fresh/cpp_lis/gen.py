import random
def generate(n, seed):
    """n random numbers"""
    r = random.Random(seed * 1000003 + n)
    return f"{n}\n" + " ".join(map(str, r.choices(range(100000000, 1000000000), k=n))) + "\n"
