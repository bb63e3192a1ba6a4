import random
def generate(n, seed):
    """which number to find, and three divisors"""
    r = random.Random(seed * 1000003 + n)
    a, b, c = r.sample(range(20, 100), 3)
    return f"{n} {a} {b} {c}\n"
