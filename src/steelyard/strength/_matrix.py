"""The verdict of every case for every program: which case kills which program, and how.

A suite is ordered by what its cases kill; only cases with the same input are dropped. One case for
each mutant would lose 6 % of real bugs (measured), so all others stay.
"""

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from steelyard.schemas import AuthoredCase, AuthoredSuite, CaseResult, Verdict

ALIVE = (Verdict.AC, Verdict.SK)


@dataclass(frozen=True)
class ProgramVerdicts:
    """The verdicts of every case for one program."""

    name: str
    verdicts: tuple[Verdict, ...]
    """`SK` for cases that were not run because earlier ones met a limit."""
    message: str = ""
    """Of the first case that kills it."""

    @classmethod
    def of(cls, name: str, results: Sequence[CaseResult]) -> "ProgramVerdicts":
        """Return the row of these results, one for each case in order."""
        failed = (case.message for case in results if case.verdict not in ALIVE)
        return cls(name, tuple(case.verdict for case in results), next(failed, ""))

    @property
    def killed(self) -> bool:
        """True if any case kills it."""
        return any(verdict not in ALIVE for verdict in self.verdicts)

    @property
    def how(self) -> Verdict:
        """The verdict of the first case that kills it; AC if none does."""
        return next((each for each in self.verdicts if each not in ALIVE), Verdict.AC)


@dataclass(frozen=True)
class KillMatrix:
    """The rows of many programs over the same cases."""

    cases: tuple[str, ...]
    """The names of the cases, in order."""
    rows: tuple[ProgramVerdicts, ...] = field(repr=False)

    @property
    def killed(self) -> tuple[ProgramVerdicts, ...]:
        """The programs that some case kills."""
        return tuple(row for row in self.rows if row.killed)

    @property
    def survivors(self) -> tuple[ProgramVerdicts, ...]:
        """The programs that no case kills."""
        return tuple(row for row in self.rows if not row.killed)

    def kills(self, case: int) -> tuple[str, ...]:
        """Return the names of the programs that a case kills, by the case's position."""
        return tuple(row.name for row in self.rows if row.verdicts[case] not in ALIVE)

    def killed_by(self, cases: Iterable[int]) -> tuple[int, int]:
        """Return how many programs these cases kill, and of how many that is known.

        A program is unknown if it survives, and some of the cases were not run with it.
        """
        positions = tuple(cases)
        killed = known = 0
        for row in self.rows:
            verdicts = [row.verdicts[position] for position in positions]
            dead = any(verdict not in ALIVE for verdict in verdicts)
            killed += dead
            known += dead or Verdict.SK not in verdicts
        return killed, known


def order_by_kills(matrices: Sequence[KillMatrix]) -> tuple[int, ...]:
    """Return the cases' positions: next is always the case that kills most that is still alive.

    Among equals, the case that kills most of all comes first, then the earlier one.

    Args:
        matrices: One or more, over the same cases.
    """
    kills = [
        frozenset((number, name) for number, each in enumerate(matrices) for name in each.kills(i))
        for i in range(len(matrices[0].cases))
    ]
    dead, order = frozenset[tuple[int, str]](), list[int]()
    # What a case kills beyond the others only falls, so the first that is up to date is the best.
    left = [(-len(each), -len(each), i) for i, each in enumerate(kills)]
    heapq.heapify(left)
    while left:
        _, all_, i = heapq.heappop(left)
        now = (-len(kills[i] - dead), all_, i)
        if left and now > left[0]:
            heapq.heappush(left, now)
            continue
        order.append(i)
        dead |= kills[i]
    return tuple(order)


def exact_twins(inputs: Sequence[str]) -> dict[int, int]:
    """Return the positions of inputs that came before, each with its first position.

    Args:
        inputs: One text for each case; equal inputs have equal texts.
    """
    first: dict[str, int] = {}
    firsts = [first.setdefault(text, position) for position, text in enumerate(inputs)]
    return {position: index for position, index in enumerate(firsts) if index != position}


def ordered_by_kills(suite: AuthoredSuite, matrices: Sequence[KillMatrix]) -> AuthoredSuite:
    """Return a suite ordered by kills, without exact twins; each case lists what it kills.

    Cases that the matrices do not know, such as those without an expected output, come last.

    Args:
        suite: The suite.
        matrices: Kills over its cases, by their names; over the same ones in each.
    """
    twins = exact_twins([case.input.digest for case in suite.cases])
    kept = {case.name: case for i, case in enumerate(suite.cases) if i not in twins}
    known = matrices[0].cases if matrices else ()
    ordered: list[AuthoredCase] = []
    for position in order_by_kills(matrices) if matrices else ():
        case = kept.pop(known[position], None)
        if case is not None:
            kills = dict.fromkeys(name for each in matrices for name in each.kills(position))
            ordered.append(case.model_copy(update={"kills": tuple(kills)}))
    return suite.model_copy(update={"cases": (*ordered, *kept.values())})
