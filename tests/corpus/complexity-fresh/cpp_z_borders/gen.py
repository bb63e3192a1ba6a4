import random
def generate(n, seed):
    """a string of n letters: one block of random length over and over, the last copy cut"""
    r = random.Random(seed * 1000003 + n)
    block = "".join(r.choices("ab", k=r.randint(n // 8 + 1, n // 3 + 1)))
    return (block * (n // len(block) + 1))[:n] + "\n"
