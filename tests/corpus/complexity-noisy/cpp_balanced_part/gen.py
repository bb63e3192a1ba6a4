import random
def generate(n, seed):
    r = random.Random(seed)
    return f"{n}\n"+"".join(r.choice("()") for _ in range(n))+"\n"
