"""Count the work of programs, and the peak of their heap memory, without a clock."""

from assayer.profiling.counting._memory import HEAP_FILE, HeapUse, read_heap, with_heap_watched
from assayer.profiling.counting._native import (
    CountingUnavailable,
    NativeCounter,
    native_counter,
)
from assayer.profiling.counting._python import PythonCounter, python_counter

__all__ = [
    "HEAP_FILE",
    "CountingUnavailable",
    "HeapUse",
    "NativeCounter",
    "PythonCounter",
    "native_counter",
    "python_counter",
    "read_heap",
    "with_heap_watched",
]
