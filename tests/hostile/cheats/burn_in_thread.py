# Tries: the same in a thread, behind a lock.
import threading
import time


def work():
    end = time.thread_time() + 5
    while time.thread_time() < end:
        pass


def total(numbers):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return sum(numbers)
