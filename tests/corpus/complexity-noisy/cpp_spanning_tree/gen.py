import random
def generate(n, seed):
    r = random.Random(seed)
    return f"{n}\n"+"".join(f"{r.randrange(n)} {r.randrange(n)} {r.randint(10**5,10**6-1)}\n" for _ in range(3*n))
