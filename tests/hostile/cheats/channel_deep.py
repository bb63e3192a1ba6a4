# Tries: an answer that is nested too deep for its reader.
import os

answer = b'["ok",' + b"[" * 1_000_000 + b"]" * 1_000_000 + b",[]]"


def total(numbers):
    data = len(answer).to_bytes(8, "little") + answer
    while data:
        data = data[os.write(3, data) :]
    return 0
