# Tries: more memory than it has, a page at a time, with every error caught.
def total(numbers):
    kept = []
    while True:
        try:
            kept.append(bytearray(1 << 20))
        except MemoryError:
            pass
