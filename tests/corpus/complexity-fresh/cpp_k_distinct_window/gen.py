import random
def generate(n, seed):
    """n numbers drawn from a pool of 3000, and k = 500"""
    r = random.Random(seed * 1000003 + n)
    pool = r.sample(range(100000000, 1000000000), 3000)
    return f"{n} 500\n" + " ".join(map(str, r.choices(pool, k=n))) + "\n"
