# Tries: nothing new: the honest way to be too slow.
def total(numbers):
    while True:
        numbers = sorted(numbers)
