# Tries: a chain of causes that runs in a circle.
def total(numbers):
    one, two = ValueError("one"), ValueError("two")
    one.__cause__, two.__cause__ = two, one
    one.__context__, two.__context__ = two, one
    raise one
