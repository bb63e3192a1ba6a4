import random
def generate(n, seed):
    """n random letters"""
    r = random.Random(seed * 1000003 + n)
    return "".join(r.choices("abcdefgh", k=n)) + "\n"
