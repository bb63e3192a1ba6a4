# Tries: to exhaust the stack of the interpreter.
def total(numbers):
    return total(numbers)
