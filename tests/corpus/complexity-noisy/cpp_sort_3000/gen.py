import random
def generate(n, seed):
    r = random.Random(seed)
    return f"{n}\n" + " ".join(str(r.randint(10**8, 10**9-1)) for _ in range(n)) + "\n"
