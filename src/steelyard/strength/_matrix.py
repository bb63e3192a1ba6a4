"""The verdict of every case for every program: which case kills which program, and how."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

from steelyard.sandbox import settle_on_cell_cores
from steelyard.schemas import CaseResult, Verdict

Item = TypeVar("Item")
Result = TypeVar("Result")

_ALIVE = (Verdict.AC, Verdict.SK)


@dataclass(frozen=True)
class Row:
    """The verdicts of every case for one program."""

    name: str
    verdicts: tuple[Verdict, ...]
    """`SK` for cases that were not run because earlier ones met a limit."""
    message: str = ""
    """Of the first case that kills it."""

    @classmethod
    def of(cls, name: str, results: Sequence[CaseResult]) -> "Row":
        """Return the row of these results, one for each case in order."""
        failed = (case.message for case in results if case.verdict not in _ALIVE)
        return cls(name, tuple(case.verdict for case in results), next(failed, ""))

    @property
    def killers(self) -> tuple[int, ...]:
        """The positions of the cases that kill it."""
        return tuple(i for i, verdict in enumerate(self.verdicts) if verdict not in _ALIVE)

    @property
    def killed(self) -> bool:
        """True if any case kills it."""
        return any(verdict not in _ALIVE for verdict in self.verdicts)

    @property
    def how(self) -> Verdict:
        """The verdict of the first case that kills it; AC if none does."""
        return next((each for each in self.verdicts if each not in _ALIVE), Verdict.AC)


@dataclass(frozen=True)
class KillMatrix:
    """The rows of many programs over the same cases."""

    cases: tuple[str, ...]
    """The names of the cases, in order."""
    rows: tuple[Row, ...] = field(repr=False)

    @property
    def killed(self) -> tuple[Row, ...]:
        """The programs that some case kills."""
        return tuple(row for row in self.rows if row.killed)

    @property
    def survivors(self) -> tuple[Row, ...]:
        """The programs that no case kills."""
        return tuple(row for row in self.rows if not row.killed)

    def kills(self, case: int) -> tuple[str, ...]:
        """Return the names of the programs that a case kills, by the case's position."""
        return tuple(row.name for row in self.rows if row.verdicts[case] not in _ALIVE)

    def killed_by(self, cases: Iterable[int]) -> tuple[int, int]:
        """Return how many programs these cases kill, and of how many that is known.

        A program is unknown if it survives, and some of the cases were not run with it.
        """
        positions = tuple(cases)
        killed = known = 0
        for row in self.rows:
            verdicts = [row.verdicts[position] for position in positions]
            dead = any(verdict not in _ALIVE for verdict in verdicts)
            killed += dead
            known += dead or Verdict.SK not in verdicts
        return killed, known


def each_in_parallel(
    work: Callable[[Item], Result], items: Sequence[Item], size: int
) -> Iterator[Result]:
    """Yield the result of each item in order; what is left is dropped if the caller stops.

    Args:
        work: Runs commands and does little else.
        items: The items.
        size: Number of threads.
    """
    executor = ThreadPoolExecutor(size, "steelyard-rows", initializer=settle_on_cell_cores)
    try:
        yield from executor.map(work, items)
    finally:
        executor.shutdown(cancel_futures=True)
