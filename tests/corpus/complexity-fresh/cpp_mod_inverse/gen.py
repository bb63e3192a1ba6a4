import random
def generate(n, seed):
    """a number and the modulus n"""
    r = random.Random(seed * 1000003 + n)
    return f"{r.randint(n // 2, n - 1)} {n}\n"
