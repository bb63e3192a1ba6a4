import random
def generate(n, seed):
    """n numbers, n operations: add to a range, or sum over a range"""
    r = random.Random(seed * 1000003 + n)
    out = [f"{n} {n}", " ".join(map(str, r.choices(range(100000, 1000000), k=n)))]
    for _ in range(n):
        a, b = sorted((r.randint(1, n), r.randint(1, n)))
        out.append(f"1 {a} {b} {r.randint(1000, 9999)}" if r.random() < 0.5 else f"2 {a} {b}")
    return "\n".join(out) + "\n"
