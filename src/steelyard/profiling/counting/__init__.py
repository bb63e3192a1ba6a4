"""How much work does a program do on an input, and how much heap does it hold, without a clock?

A counter is made for one program and then run on each input. For C and C++ the compiler puts the
counters in (`native_counter`); into a Python program they are put inside its cell, by the modules
of `incell` (`python_counter`). Both give one record, with a count for each block and the peak of
the heap, which a library sees that is preloaded into the same run. Where a program cannot be
counted, `CountingUnavailable` says why.
"""

from steelyard.profiling.counting._memory import (
    HEAP_FILE,
    HeapUse,
    heap_library,
    read_heap,
    with_heap_watched,
)
from steelyard.profiling.counting._native import (
    CountingUnavailable,
    NativeCounter,
    native_counter,
)
from steelyard.profiling.counting._python import PythonCounter, python_counter

__all__ = [
    "HEAP_FILE",
    "CountingUnavailable",
    "HeapUse",
    "NativeCounter",
    "PythonCounter",
    "heap_library",
    "native_counter",
    "python_counter",
    "read_heap",
    "with_heap_watched",
]
