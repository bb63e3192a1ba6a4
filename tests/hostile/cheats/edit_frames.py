# Tries: to change what the harness will do with its answer, in the harness's own frames.
import ctypes
import sys


def total(numbers):
    frame = sys._getframe(1)
    while frame is not None:
        for name, value in list(frame.f_locals.items()):
            if callable(value) or name in ("outcome", "limits", "case"):
                frame.f_locals[name] = None
        ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))
        for name in ("outcome_of", "write_outcome", "_is_outcome"):
            if name in frame.f_globals:
                frame.f_globals[name] = lambda *_, **__: '["ok",true]'
        frame = frame.f_back
    return 0
