# Tries: bytes that are no text, wherever it can write.
import os


def total(numbers):
    for fd in (1, 2, *range(3, 64)):
        try:
            os.write(fd, b'\xff\xfe0 0\t["ok",\xed\xa0\x80]\n0 0\t["ok","\xff"]\n')
        except OSError:
            continue
    os._exit(0)
