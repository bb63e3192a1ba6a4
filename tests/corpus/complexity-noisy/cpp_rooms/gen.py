import random
def generate(n, seed):
    r = random.Random(seed)
    return f"{n}\n" + "".join(f"{r.randint(10**8,10**9-1)} {r.randint(10**8,10**9-1)}\n" for _ in range(n))
