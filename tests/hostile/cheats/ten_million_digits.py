# Tries: a number whose digits take longer to write than all else.
def total(numbers):
    return 1 << 33_219_281
