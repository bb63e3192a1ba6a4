import random
def generate(n, seed, m=None):
    """a pattern of n letters, a text of m; where it fits, the pattern is cut from the text"""
    m = 4 * n if m is None else m
    r = random.Random(seed * 1000003 + n * 31 + m)
    text = "".join(r.choices("abcdefgh", k=m))
    if n <= m:
        at = r.randint(0, m - n)
        pattern = text[at:at + n]
    else:
        pattern = "".join(r.choices("abcdefgh", k=n))
    return f"{pattern}\n{text}\n"
