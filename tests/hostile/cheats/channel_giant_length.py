# Tries: a message that is announced as longer than all memory.
import os


def total(numbers):
    os.write(3, b"\xff" * 8 + b'["ok",0,[]]')
    os.close(3)
    os._exit(0)
