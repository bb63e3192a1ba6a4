# Tries: to leave processes that outlive the run, in sessions of their own.
import os
import signal
import time


def total(numbers):
    for _ in range(3):
        if os.fork() == 0:
            os.setsid()
            for number in range(1, 32):
                if number not in (signal.SIGKILL, signal.SIGSTOP):
                    signal.signal(number, signal.SIG_IGN)
            if os.fork() == 0:
                time.sleep(30)
            os._exit(0)
    return 0
