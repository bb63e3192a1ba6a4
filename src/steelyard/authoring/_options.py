"""Options of authoring."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from pydantic import Field

from steelyard.options import Flag, ModelText, RunOptions
from steelyard.settings import current_settings

NO_MODEL = "none"
"""In place of a model's name: nothing is asked."""
_SMALL_FOR_EACH = 13
"""Further small inputs for each of `cases`, by default."""


class AuthorOptions(RunOptions):
    """Options of authoring a problem. A run stores them with its artefacts.

    `limits` apply to one run of a reference solution: 2 seconds by default, 4 for a brute force.
    """

    group: ClassVar[str] = "Tests"
    usual_limits: ClassVar[Mapping[str, str]] = {
        "cpu_ms": "2000; 4000 for a brute force",
        "memory_mib": "512",
    }
    roles: ClassVar[Mapping[str, str]] = {
        "specifier": "writer",
        "optimised": "solver",
        "bruteforce": "checker",
    }
    model_settings: ClassVar[Mapping[str, str]] = {
        "writer": "planner",
        "solver": "coder",
        "checker": "planner",
    }
    may_ask_none: ClassVar[bool] = True

    writer: ModelText = Field(default_factory=lambda: current_settings().models.planner)
    """Model for the specification and inputs; `none` asks no model at all."""
    solver: ModelText = Field(default_factory=lambda: current_settings().models.coder)
    """Model for the optimised solution and repairs."""
    checker: ModelText = Field(default_factory=lambda: current_settings().models.planner)
    """Model for the brute force and further solutions."""
    solutions: Annotated[int, Flag("N", group="Program")] = Field(default=2, ge=1, le=8)
    """Number of solutions that are written without sight of each other."""
    cases: Annotated[int, Flag("N")] = Field(default=60, ge=1, le=1_000)
    """Largest number of inputs made from the specification alone."""
    small_cases: Annotated[int | None, Flag("N", group="Advanced")] = Field(
        default=None, ge=0, le=20_000
    )
    """Largest number of further inputs that solutions choose, most of them small; None is 13 for
    each of `cases`."""
    mutants: Annotated[int, Flag("N")] = Field(default=200, ge=0, le=10_000)
    """Largest number of mutants of the solution; 0 measures nothing."""

    @property
    def further_cases(self) -> int:
        """Largest number of further inputs: `small_cases`, or what it is by default."""
        return self.cases * _SMALL_FOR_EACH if self.small_cases is None else self.small_cases

    @property
    def model_names(self) -> dict[str, str]:
        """The models' names by role; empty if no model is asked."""
        names = super().model_names
        return {} if NO_MODEL in names.values() else names
