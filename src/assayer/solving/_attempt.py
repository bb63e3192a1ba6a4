"""One program of a run, with what was found of it: which of two is the better."""

from dataclasses import dataclass

from assayer.schemas import CodeMessage, PlanMessage, ProfileReport, VerdictMessage
from assayer.solving._analysis import Cost

__all__ = ["Attempt"]


@dataclass(slots=True)
class Attempt:
    """One program with what was found of it."""

    code: CodeMessage
    plan: PlanMessage
    passed: int
    right: bool
    profile: ProfileReport | None = None
    cost: Cost | None = None
    verdict: VerdictMessage | None = None

    @property
    def rank(self) -> tuple[bool, bool, int, float]:
        """The better, the larger."""
        worst = self.cost.worst if self.cost else None
        efficient = bool(self.verdict and self.verdict.efficient)
        return self.right, efficient, self.passed, -(1e9 if worst is None else worst)
