import random
def generate(n, seed, m=None):
    """n courses, m requirements without a cycle"""
    m = 4 * n if m is None else m
    r = random.Random(seed * 1000003 + n * 31 + m)
    name = list(range(1, n + 1))
    r.shuffle(name)
    out = [f"{n} {m}"]
    for _ in range(m):
        a, b = sorted(r.sample(range(n), 2))
        out.append(f"{name[a]} {name[b]}")
    return "\n".join(out) + "\n"
