# Tries: to take time without using any.
import time


def total(numbers):
    time.sleep(60)
    return sum(numbers)
