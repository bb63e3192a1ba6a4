# Tries: to work while its own objects are let go of.
import time


class Work:
    def __del__(self):
        end = time.process_time() + 5
        while time.process_time() < end:
            pass


def total(numbers):
    work = Work()
    del work
    return sum(numbers)
