# Tries: numbers that compare oddly.
def total(numbers):
    return (float("nan"), float("inf"), -0.0, 1e400 - 1e400)[sum(numbers) % 4]
