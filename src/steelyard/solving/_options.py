"""Options of a solve run."""

from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field

from steelyard.options import ModelText, RunOptions
from steelyard.profiling import BUDGET_S
from steelyard.schemas import SolutionLanguage
from steelyard.settings import current_settings


class SolveOptions(RunOptions):
    """Options of a solve run. A run stores them with its artefacts, so that it can be resumed.

    `limits` replaces those limits of the problem that are set in it.
    """

    bounds: ClassVar[tuple[str, ...]] = (
        *RunOptions.bounds,
        "allow_unmeasured",
        "budget_s",
        "diminish_delta",
        "max_iter",
    )
    roles: ClassVar[Mapping[str, str]] = {
        "planner": "planner",
        "coder": "coder",
        "analyst": "analyst",
    }

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
    allow_unmeasured: bool = False
    """Accept a program although evidence for its correctness or its efficiency is missing."""
    budget_s: float = Field(default=BUDGET_S, gt=0, le=600)
    """Rough bound on the time of all runs of one profile together."""
