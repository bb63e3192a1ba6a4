# Tries: a message that is no message.
import os


def total(numbers):
    os.write(3, b"garbage" * 1_000)
    return 0
