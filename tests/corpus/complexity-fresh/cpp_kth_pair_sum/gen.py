import random
def generate(n, seed):
    """n random numbers and which of the n(n-1)/2 sums to print"""
    r = random.Random(seed * 1000003 + n)
    k = r.randint(1, n * (n - 1) // 2)
    return f"{n} {k}\n" + " ".join(map(str, r.choices(range(100000000, 1000000000), k=n))) + "\n"
