import random
def generate(n, seed):
    """n letters: a random half, written twice"""
    r = random.Random(seed * 1000003 + n)
    half = "".join(r.choices("abcdefghijklmnopqrstuvwxyz", k=(n + 1) // 2))
    return (half + half)[:n] + "\n"
