import random
def generate(n, seed):
    """n jobs: start, end, profit"""
    r = random.Random(seed * 1000003 + n)
    out = [str(n)]
    for _ in range(n):
        start = r.randint(100000000, 899999999)
        out.append(f"{start} {start + r.randint(1, 50000000)} {r.randint(1000, 9999)}")
    return "\n".join(out) + "\n"
