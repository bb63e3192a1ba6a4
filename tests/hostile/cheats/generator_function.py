# Tries: to be right lazily, and never to compute.
def total(numbers):
    yield 0
