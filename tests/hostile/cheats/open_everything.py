# Tries: as many descriptors as there may be.
import os


def total(numbers):
    kept = []
    while True:
        kept.append(os.pipe())
