"""Options of authoring."""

from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field

from steelyard.options import ModelText, RunOptions
from steelyard.settings import current_settings

NO_MODEL = "none"
"""In place of a model's name: nothing is asked."""
_SMALL_FOR_EACH = 13
"""Further small inputs for each of `cases`, by default."""


class AuthorOptions(RunOptions):
    """Options of authoring a problem. A run stores them with its artefacts.

    `limits` apply to one run of a reference solution: 2 seconds by default, 4 for a brute force.
    """

    roles: ClassVar[Mapping[str, str]] = {
        "specifier": "writer",
        "optimised": "solver",
        "bruteforce": "checker",
    }

    writer: ModelText = Field(default_factory=lambda: current_settings().models.planner)
    """Model that writes the specification and inputs; `none`: no model is asked at all."""
    solver: ModelText = Field(default_factory=lambda: current_settings().models.coder)
    """Model that writes the optimised solution, and repairs solutions."""
    checker: ModelText = Field(default_factory=lambda: current_settings().models.planner)
    """Model that writes the brute force and further solutions."""
    solutions: int = Field(default=2, ge=1, le=8)
    """Solutions that are written without sight of each other."""
    cases: int = Field(default=60, ge=1, le=1_000)
    """Largest number of inputs from the specification alone. As many more are chosen by what
    solutions do with them."""
    small_cases: int | None = Field(default=None, ge=0, le=20_000)
    """Largest number of further inputs that are chosen so, 13 for each of `cases` by default. Most
    are small and cost little; many together kill programs that seldom go wrong."""
    mutants: int = Field(default=200, ge=0, le=10_000)
    """Largest number of mutants that measure the suite; 0 measures nothing."""

    @property
    def further_cases(self) -> int:
        """Largest number of further inputs: `small_cases`, or what it is by default."""
        return self.cases * _SMALL_FOR_EACH if self.small_cases is None else self.small_cases

    @property
    def model_names(self) -> dict[str, str]:
        """The models' names by role; empty if no model is asked."""
        names = super().model_names
        return {} if NO_MODEL in names.values() else names
