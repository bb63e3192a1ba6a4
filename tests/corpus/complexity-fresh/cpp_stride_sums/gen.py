import math
import random
def generate(n, seed):
    """n numbers, n queries (start, step): the steps lie around sqrt n"""
    r = random.Random(seed * 1000003 + n)
    out = [f"{n} {n}", " ".join(map(str, r.choices(range(100000000, 1000000000), k=n)))]
    top = 2 * math.isqrt(n)
    out += [f"{r.randint(1, n)} {r.randint(1, top)}" for _ in range(n)]
    return "\n".join(out) + "\n"
