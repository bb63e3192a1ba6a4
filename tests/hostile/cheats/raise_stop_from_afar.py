# Tries: the same with a class of its own.
class Over(StopIteration, ValueError):
    pass


def total(numbers):
    raise Over
