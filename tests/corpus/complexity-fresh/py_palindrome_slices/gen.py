import random
def generate(n, seed):
    """n random letters out of two"""
    r = random.Random(seed * 1000003 + n)
    return "".join(r.choices("ab", k=n)) + "\n"
