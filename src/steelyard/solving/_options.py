"""Options of a solve run."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from pydantic import Field

from steelyard.options import Flag, ModelText, RunOptions
from steelyard.profiling import BUDGET_S
from steelyard.schemas import SolutionLanguage
from steelyard.settings import current_settings


class SolveOptions(RunOptions):
    """Options of a solve run. A run stores them with its artefacts, so that it can be resumed.

    `limits` replaces those limits of the problem that are set in it.
    """

    group: ClassVar[str] = "Limits"
    usual_limits: ClassVar[Mapping[str, str]] = {
        "cpu_ms": "the problem's",
        "memory_mib": "the problem's",
    }
    roles: ClassVar[Mapping[str, str]] = {
        "planner": "planner",
        "coder": "coder",
        "analyst": "analyst",
    }
    bounds: ClassVar[tuple[str, ...]] = (
        *RunOptions.bounds,
        "allow_unmeasured",
        "budget_s",
        "diminish_delta",
        "max_iter",
    )
    model_settings: ClassVar[Mapping[str, str]] = {
        "planner": "planner",
        "coder": "coder",
        "analyst": "analyst",
    }

    planner: ModelText = Field(default_factory=lambda: current_settings().models.planner)
    """Model that plans."""
    coder: ModelText = Field(default_factory=lambda: current_settings().models.coder)
    """Model that writes the program."""
    analyst: ModelText = Field(default_factory=lambda: current_settings().models.analyst)
    """Model that reads unclear figures."""
    language: Annotated[SolutionLanguage, Flag(group="Program")] = "cpp"
    """Programming language of the program."""
    max_iter: Annotated[int, Flag("N")] = Field(default=3, ge=1, le=50)
    """Programs that the coder may write."""
    max_plans: Annotated[int, Flag("N")] = Field(default=2, ge=1, le=10)
    """Plans that the static rules may refuse in a row."""
    diminish_delta: Annotated[float, Flag("SHARE", group="Advanced")] = Field(
        default=0.05, ge=0, lt=1
    )
    """Stop when an iteration improves by less than this share."""
    allow_unmeasured: Annotated[bool, Flag(group="Advanced")] = False
    """Accept a program although evidence for its correctness or efficiency is missing."""
    budget_s: Annotated[float, Flag("S")] = Field(default=BUDGET_S, gt=0, le=600)
    """Rough number of seconds for each profile."""
