import random
def generate(n, seed, m=None):
    """n random numbers, m queries: how many lie between two bounds"""
    m = n if m is None else m
    r = random.Random(seed * 1000003 + n * 31 + m)
    lo, hi = 100000000, 999999999
    out = [f"{n} {m}", " ".join(str(r.randint(lo, hi)) for _ in range(n))]
    for _ in range(m):
        a, b = sorted((r.randint(lo, hi), r.randint(lo, hi)))
        out.append(f"{a} {b}")
    return "\n".join(out) + "\n"
