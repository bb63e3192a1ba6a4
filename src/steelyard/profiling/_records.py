"""Records that the parts of the profiler exchange."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from steelyard.sandbox import Blob
from steelyard.schemas import Execution, Limits, Specification


@dataclass(frozen=True, order=True)
class Point:
    """The size of one input."""

    n: int
    m: int = 0
    """The second parameter; 0 if there is just one."""

    def __str__(self) -> str:
        return f"n = {self.n:,}, m = {self.m:,}" if self.m else f"n = {self.n:,}"


@dataclass(frozen=True)
class Input:
    """One input, ready for a cell."""

    point: Point
    content: Blob


class InputSource(Protocol):
    """A source of inputs."""

    @property
    def description(self) -> str:
        """One line for the report, such as `gen.py, seed 1`."""
        ...

    def get(self, point: Point, seed: int) -> Input:
        """Return the input of this size.

        Raises:
            GeneratorError: if there is no such input; the message gives the reason.
        """
        ...


AnyInputs = InputSource | Specification | str | Path
"""What is taken as inputs; a path is that of a generator module or of a folder."""


@dataclass(frozen=True)
class CountedRun:
    """One run of a program with counters."""

    point: Point
    input_bytes: int
    work: Mapping[str, int] | None
    """Entries of each basic block, and the costs of its built-ins; None if the run wrote none
    (killed, or ended without them)."""
    heap_bytes: int | None
    """Peak of live heap memory; None if unknown."""
    rss_bytes: int
    """Peak resident set."""
    execution: Execution = field(repr=False)
    threads: bool = False
    """Whether the program was seen to start threads: then counts and heap may vary."""
    note: str = ""
    """One line: why `work` or `heap_bytes` is missing or doubtful."""


class Counter(Protocol):
    """Counts the work of one program."""

    method: str
    """The counting method, for the report."""
    enough_work: float
    """Work of one run that shows a class, in the counter's own unit."""
    enough_bytes: float
    """Bytes of input whose reading takes as long."""

    @property
    def lines(self) -> Mapping[str, int]:
        """The source line of each block, if known. Read it once, after all runs."""
        ...

    def run(self, given: Input, limits: Limits) -> CountedRun:
        """Run once and count. Failures of the program are recorded, never raised."""
        ...
