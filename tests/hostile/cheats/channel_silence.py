# Tries: never to answer.
import time


def total(numbers):
    time.sleep(600)
