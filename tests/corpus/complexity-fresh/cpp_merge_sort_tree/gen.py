import random
def generate(n, seed):
    """n numbers, n queries: how many in a range are at most x"""
    r = random.Random(seed * 1000003 + n)
    lo, hi = 100000000, 999999999
    out = [f"{n} {n}", " ".join(str(r.randint(lo, hi)) for _ in range(n))]
    for _ in range(n):
        a, b = sorted((r.randint(1, n), r.randint(1, n)))
        out.append(f"{a} {b} {r.randint(lo, hi)}")
    return "\n".join(out) + "\n"
