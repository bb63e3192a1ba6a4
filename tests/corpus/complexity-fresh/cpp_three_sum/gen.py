import random
def generate(n, seed):
    """n random numbers of either sign"""
    r = random.Random(seed * 1000003 + n)
    return f"{n}\n" + " ".join(str(r.choice((-1, 1)) * r.randint(100000000, 999999999)) for _ in range(n)) + "\n"
