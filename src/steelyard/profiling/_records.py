"""What the parts of the profiler hand each other."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from steelyard.sandbox import Blob
from steelyard.schemas import Execution, Limits


@dataclass(frozen=True, order=True)
class Point:
    """The size of one input."""

    n: int
    m: int = 0
    """The second parameter; 0 where there is none."""

    def __str__(self) -> str:
        return f"n = {self.n}, m = {self.m}" if self.m else f"n = {self.n}"


@dataclass(frozen=True)
class Input:
    """One input, ready for a cell."""

    point: Point
    content: Blob


class InputSource(Protocol):
    """Where inputs come from."""

    description: str
    """One line for the report, such as `gen.py, seed 1`."""

    def get(self, point: Point, seed: int) -> Input:
        """The input of this size.

        Raises:
            GeneratorError: where none can be had; the message says why.
        """
        ...


@dataclass(frozen=True)
class CountedRun:
    """One run of the counting form of a program."""

    point: Point
    input_bytes: int
    work: Mapping[str, int] | None
    """How often each basic block was entered, with what its builtins cost; None: none were left
    (killed, or ended without them)."""
    heap_bytes: int | None
    """Peak of live heap memory; None: not known."""
    rss_bytes: int
    """Peak resident set."""
    execution: Execution = field(repr=False)
    threads: bool = False
    """Whether the program was seen to start threads: then counts and heap may differ by run."""
    note: str = ""
    """One line, where `work` or `heap_bytes` is None or to be doubted: why."""


class Counter(Protocol):
    """Counts the work of one program."""

    method: str
    """How it counts, for the report."""

    @property
    def lines(self) -> Mapping[str, int]:
        """The source line of each block, where it is known. Ask once, after all runs."""
        ...

    def run(self, given: Input, limits: Limits) -> CountedRun:
        """One counted run. What the program does wrong is in the record, never raised."""
        ...
