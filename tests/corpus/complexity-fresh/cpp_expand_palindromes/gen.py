import random
def generate(n, seed):
    """n random letters out of three"""
    r = random.Random(seed * 1000003 + n)
    return "".join(r.choices("abc", k=n)) + "\n"
