"""One program of a run, with what was found of it: which of two is the better."""

import math
from dataclasses import dataclass

from steelyard.schemas import CodeMessage, PlanMessage, ProfileReport, VerdictMessage
from steelyard.solving._analysis import Cost

__all__ = ["Attempt"]


@dataclass(slots=True)
class Attempt:
    """One program with what was found of it."""

    code: CodeMessage
    plan: PlanMessage
    passed: int
    right: bool
    compiles: bool = True
    profile: ProfileReport | None = None
    cost: Cost | None = None
    verdict: VerdictMessage | None = None
    is_of_cost: bool = False
    """Whether the verdict is a matter of time and memory."""

    @property
    def rank(self) -> tuple[bool, bool, int, bool, bool, float]:
        """The better, the larger.

        One that compiles goes before one that does not, then a right one before a wrong one, the
        more tests passed before fewer, an efficient one before one that is not, one that came to
        its end on all inputs before one that crashed or was ended, the cheaper before the dearer;
        a cost that is not known counts as the dearest of those that came to their end.

        Of two that are alike in all of that the later one is to be taken: it was written with
        what was found of the earlier one at hand, so that it may have fixed what no rank shows.
        """
        worst = self.cost.worst if self.cost else None
        finished = worst != math.inf
        return (
            self.compiles,
            self.right,
            self.passed,
            bool(self.verdict and self.verdict.efficient),
            finished,
            -math.inf if worst is None else -worst,
        )
