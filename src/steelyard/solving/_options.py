"""Options of a solve run."""

from typing import Annotated, ClassVar, Self

from pydantic import Field

from steelyard.errors import UsageError
from steelyard.options import Options
from steelyard.profiling import BUDGET_S
from steelyard.schemas import SolutionLanguage
from steelyard.settings import current_settings

__all__ = ["SolveOptions"]

ModelText = Annotated[str, Field(min_length=3, max_length=1_000)]


class SolveOptions(Options):
    """Options of a solve run. A run stores them with its artefacts, so that it can be resumed.

    `limits` replaces those limits of the problem that are set in it.
    """

    bounds: ClassVar[tuple[str, ...]] = (
        "allow_unmeasured", "budget_s", "diminish_delta", "max_cost_usd", "max_iter", "max_tokens",
    )  # fmt: skip
    """Fields that may change when a run is resumed."""

    planner: ModelText = Field(default_factory=lambda: current_settings().models.planner)
    coder: ModelText = Field(default_factory=lambda: current_settings().models.coder)
    analyst: ModelText = Field(default_factory=lambda: current_settings().models.analyst)
    language: SolutionLanguage = "cpp"
    max_iter: int = Field(default=3, ge=1, le=50)
    """Programs that the coder may write."""
    max_plans: int = Field(default=2, ge=1, le=10)
    """Plans that the static rules may refuse one after the other before the run ends."""
    diminish_delta: float = Field(default=0.05, ge=0, lt=1)
    """Stop when an iteration improves on the best earlier program by less than this share."""
    max_cost_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    max_tokens: int | None = Field(default=None, ge=0)
    allow_unmeasured: bool = False
    """Accept a program although evidence for its correctness or its efficiency is missing."""
    budget_s: float = Field(default=BUDGET_S, gt=0, le=600)
    """Rough bound on the time of all runs of one profile together."""

    def changed(self, **fields: object) -> Self:
        """Return the options of a run that is resumed with these fields; None changes nothing.

        Only bounds can change: all other options shaped the paid replies.

        Raises:
            UsageError: if a field is unknown, cannot change, or has an invalid value.
        """
        had = self.model_dump()
        unknown = [name for name in fields if name not in had]
        if unknown:
            raise UsageError(
                f"{unknown[0]!r} is not a bound; the bounds are {', '.join(self.bounds)}"
            )
        new = {name: each for name, each in fields.items() if each not in (None, had.get(name))}
        fixed = [name for name in new if name not in self.bounds]
        if fixed:
            raise UsageError(
                f"the run to resume has {fixed[0]} {had.get(fixed[0])!r}, which cannot change; "
                "omit the option, or start another run"
            )
        changed = self.of(**had | new)
        return changed.model_copy(update={"pool": self.pool, "on_event": self.on_event})
