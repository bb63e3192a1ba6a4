"""Options of authoring."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from pydantic import Field

from steelyard.options import Flag, ModelText, RunOptions
from steelyard.settings import current_settings

NO_MODEL = "none"
"""In place of a model's name: nothing is asked."""


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
    """Largest number of inputs in the suite, chosen from 15 times as many."""
    thorough: Annotated[bool, Flag(group="Advanced")] = False
    """Keep all of these inputs, and add others that come from changes of the best."""
    mutants: Annotated[int, Flag("N")] = Field(default=200, ge=0, le=10_000)
    """Largest number of mutants of the solution; 0 measures nothing."""

    @property
    def model_names(self) -> dict[str, str]:
        """The models' names by role; empty if no model is asked."""
        names = super().model_names
        return {} if NO_MODEL in names.values() else names
