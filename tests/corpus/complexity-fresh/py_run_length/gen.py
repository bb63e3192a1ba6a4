import random
def generate(n, seed):
    """n letters in runs of 1 to 9"""
    r = random.Random(seed * 1000003 + n)
    parts, left = [], n
    while left > 0:
        run = min(left, r.randint(1, 9))
        parts.append(r.choice("abcdefghij") * run)
        left -= run
    return "".join(parts) + "\n"
