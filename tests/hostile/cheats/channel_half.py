# Tries: half a message, and then the end.
import os


def total(numbers):
    os.write(3, (100).to_bytes(8, "little") + b'["ok",770000')
    os._exit(0)
