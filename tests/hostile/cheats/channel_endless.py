# Tries: a message without an end.
import os


def total(numbers):
    os.write(3, (1 << 30).to_bytes(8, "little"))
    while True:
        os.write(3, b"7" * (1 << 16))
