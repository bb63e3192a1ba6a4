# Tries: to hang up in the midst of a call.
import os


def total(numbers):
    os.close(3)
    return 0
