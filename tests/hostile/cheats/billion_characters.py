# Tries: an answer as long as all memory.
def total(numbers):
    return "7" * 1_000_000_000
