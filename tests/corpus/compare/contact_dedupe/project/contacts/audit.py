"""How often things are done."""

import functools
from collections import Counter

CALLS: Counter[str] = Counter()


def audited(function):
    @functools.wraps(function)
    def call(*args, **kwargs):
        CALLS[function.__name__] += 1
        return function(*args, **kwargs)

    return call
