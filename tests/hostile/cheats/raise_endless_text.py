# Tries: to have the harness read a message that is far too long.
def total(numbers):
    raise ValueError("77000000003 " * 3_000_000)
