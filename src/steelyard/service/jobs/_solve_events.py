"""Send clients the turns of a solve run while it is under way: plan, program, findings, cost."""

from collections.abc import Callable
from pathlib import Path

from pydantic import BaseModel, Field

from steelyard.errors import UsageError
from steelyard.schemas import Verdict
from steelyard.solving import Turn, read_solve_story


class SolveTurn(BaseModel, frozen=True):
    """One turn of a run so far."""

    number: int
    plan: str = ""
    """The algorithm of a new plan; empty if the turn keeps the earlier one."""
    pruned: tuple[str, ...] = ()
    """Findings of the static rules on plans that were refused."""
    language: str = ""
    code: str = ""
    """The program; empty if there is none yet."""
    tests_passed: int | None = None
    tests: int | None = None
    growth: str = ""
    """Lines on the measured growth; empty if it was not measured."""
    reason: str = ""
    """The analyst's reason to accept the program, or to send it back."""
    patch: str = ""
    """The changes that the analyst asks for."""
    calls: int = Field(default=0, ge=0)
    """Requests to models, without those that a cache answered."""
    cost_usd: float | None = 0.0
    """Cost of models in this turn; None if a price is unknown."""

    @classmethod
    def of(cls, turn: Turn) -> "SolveTurn":
        """Return what clients see of a turn."""
        used = [plan for plan, findings in turn.plans if not findings]
        costs = [0.0 if each.reply.from_cache else each.reply.cost_usd for each in turn.exchanges]
        tests, verdict = turn.tests, turn.verdict
        return cls(
            number=turn.number,
            plan=used[-1].algorithm if used else "",
            pruned=tuple(each.message for _, findings in turn.plans for each in findings),
            language=turn.code.language if turn.code else "",
            code=turn.code.code_cpp if turn.code else "",
            tests_passed=sum(each.verdict is Verdict.AC for each in tests.cases) if tests else None,
            tests=len(tests.cases) if tests else None,
            growth="" if turn.profile is None else str(turn.profile),
            reason="" if verdict is None else verdict.reason,
            patch="" if verdict is None else verdict.patch or "",
            calls=sum(not each.reply.from_cache for each in turn.exchanges),
            cost_usd=None if None in costs else sum(cost or 0.0 for cost in costs),
        )


class SolveEvents:
    """Sends the turns of a run that have changed.

    Args:
        folder: Of the run.
        send: Receives each turn, whole, as JSON.
    """

    def __init__(self, folder: Path, send: Callable[[str], None]) -> None:
        self._folder, self._send = folder, send
        self._sent: dict[int, str] = {}

    def send_changes(self) -> None:
        """Send what has changed since the last call."""
        try:
            turns = read_solve_story(self._folder, first=max(self._sent, default=0)).turns
        except UsageError:
            return  # the run has not begun yet, or its worker is about to be replaced
        for turn in turns:
            text = SolveTurn.of(turn).model_dump_json(exclude_defaults=True)
            if self._sent.get(turn.number) != text:
                self._sent[turn.number] = text
                self._send(text)


def newest_of_each(texts: list[str]) -> tuple[SolveTurn, ...]:
    """Return the turns that were sent, each as it was last, in order."""
    turns = map(SolveTurn.model_validate_json, texts)
    newest = {each.number: each for each in turns}
    return tuple(newest[number] for number in sorted(newest))
