import random
def generate(n, seed):
    """n numbers to add or subtract, and the sum to reach"""
    r = random.Random(seed * 1000003 + n)
    nums = [r.randint(10, 99) for _ in range(n)]
    target = sum(r.choice((-1, 1)) * x for x in nums)
    return f"{n} {target}\n" + " ".join(map(str, nums)) + "\n"
