"""Rank the programs of a run by their findings."""

import math
from dataclasses import dataclass, field

from steelyard.schemas import CodeMessage, Evidence, PlanMessage, ProfileReport, VerdictMessage
from steelyard.solving._analysis import Cost


@dataclass(slots=True)
class Attempt:
    """One program with its findings."""

    code: CodeMessage
    plan: PlanMessage
    passed: int
    right: bool
    compiles: bool = True
    profile: ProfileReport | None = None
    cost: Cost | None = None
    verdict: VerdictMessage | None = None
    evidence: list[Evidence] = field(default_factory=list)
    is_of_cost: bool = False
    """Tell whether the verdict concerns time and memory."""

    @property
    def rank(self) -> tuple[bool, bool, int, bool, bool, float]:
        """Return the rank: larger is better.

        In this order: a program compiles, is right, passes more tests, is not slow, finished on
        all inputs without a crash or a limit, costs less. An unknown cost counts as the highest
        of the programs that finished.

        Of two equal programs the later one is better: it was written with the findings on the
        earlier one, so it may have fixed a fault that no rank shows.
        """
        worst = self.cost.worst if self.cost else None
        finished = worst != math.inf
        return (
            self.compiles,
            self.right,
            self.passed,
            bool(self.verdict and self.verdict.efficient is not False),
            finished,
            -math.inf if worst is None else -worst,
        )
