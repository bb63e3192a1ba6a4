import random
def generate(n, seed):
    """n visits: arrival and departure"""
    r = random.Random(seed * 1000003 + n)
    out = [str(n)]
    for _ in range(n):
        a = r.randint(100000000, 899999999)
        out.append(f"{a} {a + r.randint(1, 100000000)}")
    return "\n".join(out) + "\n"
