import random
def generate(n, seed):
    """n numbers, n operations: set one, or sum over a range"""
    r = random.Random(seed * 1000003 + n)
    out = [f"{n} {n}", " ".join(map(str, r.choices(range(100000, 1000000), k=n)))]
    for _ in range(n):
        if r.random() < 0.5:
            out.append(f"1 {r.randint(1, n)} {r.randint(100000, 999999)}")
        else:
            a, b = sorted((r.randint(1, n), r.randint(1, n)))
            out.append(f"2 {a} {b}")
    return "\n".join(out) + "\n"
