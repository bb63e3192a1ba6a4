import random
def generate(n, seed):
    """the n + 1 dimensions of a chain of n matrices"""
    r = random.Random(seed * 1000003 + n)
    return f"{n}\n" + " ".join(map(str, r.choices(range(100, 1000), k=n + 1))) + "\n"
