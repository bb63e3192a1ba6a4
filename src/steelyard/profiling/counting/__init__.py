"""Count the work of a program on an input and the heap that it holds, without a clock.

A counter is made for one program and then run on each input. For C and C++ the compiler adds the
counters (`native_counter`); to a Python program the modules of `incell` add them, inside its cell
(`python_counter`). Both give one record, with a count for each block and the peak of
the heap, which a library records that is preloaded into the same run. If a program cannot be
counted, `CountingUnavailable` gives the reason.
"""

from steelyard.profiling.counting._native import (
    CountingUnavailable,
    NativeCounter,
    native_counter,
)
from steelyard.profiling.counting._outcome import (
    HEAP_FILE,
    HeapUse,
    heap_library,
    read_heap,
    with_heap_watched,
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
