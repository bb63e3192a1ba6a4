# Tries: an exception whose texts run code, raise and never end.
import os


class Rude(Exception):
    def __str__(self):
        os.write(1, b"77000000003\n")
        raise SystemExit(0)

    __repr__ = __str__


def total(numbers):
    raise Rude
