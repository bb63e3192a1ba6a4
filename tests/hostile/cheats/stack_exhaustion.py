# Tries: to exhaust the stack of the process itself.
import sys

sys.setrecursionlimit(10**9)


class Deep:
    def __getattr__(self, name):
        return getattr(self, name + "a"[:0])

    def __add__(self, other):
        return sum([self], other)

    __radd__ = __add__


def total(numbers):
    return Deep() + Deep()
