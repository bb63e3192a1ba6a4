import random
def generate(n, seed):
    """a map of n x n cells, half of them land"""
    r = random.Random(seed * 1000003 + n)
    return f"{n}\n" + "\n".join("".join(r.choices("#.", k=n)) for _ in range(n)) + "\n"
