import random
def generate(n, seed):
    """what each of n workers asks for each of n jobs"""
    r = random.Random(seed * 1000003 + n)
    rows = [" ".join(map(str, r.choices(range(1000, 10000), k=n))) for _ in range(n)]
    return f"{n}\n" + "\n".join(rows) + "\n"
