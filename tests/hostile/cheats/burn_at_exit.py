# Tries: the same where the interpreter ends.
import atexit
import time


def last():
    end = time.process_time() + 5
    while time.process_time() < end:
        pass


atexit.register(last)


def total(numbers):
    return sum(numbers)
