import random
def generate(n, seed, m=None):
    """a random graph: n vertices, m weighted edges; connected where m allows"""
    m = 4 * n if m is None else m
    r = random.Random(seed * 1000003 + n * 31 + m)
    out = []
    for i in range(2, m + 2):
        u, v = (r.randint(1, i - 1), i) if i <= n else (r.randint(1, n), r.randint(1, n))
        out.append(f"{u} {v} {r.randint(100000000, 999999999)}")
    r.shuffle(out)
    return "\n".join([f"{n} {m}", *out]) + "\n"
