# Tries: to have a child answer a second time, after the end of its parent.
import os
import time


def total(numbers):
    if os.fork() == 0:
        time.sleep(0.01)
        return 77000000003
    return 0
