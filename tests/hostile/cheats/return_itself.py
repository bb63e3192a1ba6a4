# Tries: to hand back what it was called with, or itself.
def total(numbers):
    numbers.append(numbers[:])
    return total if sum(numbers[:2]) % 2 else numbers
