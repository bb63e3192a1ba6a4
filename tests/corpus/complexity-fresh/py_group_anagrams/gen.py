import random
def generate(n, seed):
    """n words of 8 letters out of a to f"""
    r = random.Random(seed * 1000003 + n)
    return f"{n}\n" + "\n".join("".join(r.choices("abcdef", k=8)) for _ in range(n)) + "\n"
