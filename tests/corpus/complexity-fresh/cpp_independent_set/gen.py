import random
def generate(n, seed):
    """a random graph of n vertices, about a third of all edges"""
    r = random.Random(seed * 1000003 + n)
    edges = [f"{u} {v}" for u in range(1, n + 1) for v in range(u + 1, n + 1) if r.random() < 0.3]
    return "\n".join([f"{n} {len(edges)}", *edges]) + "\n"
