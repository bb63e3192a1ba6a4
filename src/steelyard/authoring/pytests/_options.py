"""Options and input of a run that writes a suite."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from steelyard.options import Flag, ModelText, RunOptions
from steelyard.runs import Head
from steelyard.settings import current_settings


class SuiteOptions(RunOptions):
    """Options of writing a pytest suite. A run stores them with its artefacts.

    Of `limits` only `memory_mib` counts, for each run of the suite.
    """

    bounds: ClassVar[tuple[str, ...]] = (*RunOptions.bounds, "max_rounds")
    roles: ClassVar[Mapping[str, str]] = {"tester": "tester", "reviewer": "reviewer"}

    tester: ModelText = Field(default_factory=lambda: current_settings().models.coder)
    """Model that writes the suite."""
    reviewer: ModelText = Field(default_factory=lambda: current_settings().models.coder)
    """Model that reviews and improves it."""
    max_rounds: Annotated[int, Flag("N", group="Limits")] = Field(default=5, ge=1, le=20)
    """Reviews of the suite."""
    most_mutants: Annotated[int, Flag("N", local=True)] = Field(default=80, ge=0, le=1_000)
    """Small changes of the module that the tests should notice."""


class SuiteHead(Head):
    """The input of a run."""

    job: Literal["author tests"] = "author tests"
    run: str
    """Its own id."""
    file: str
    root: str | None
    module: str
    """The dotted name of the module."""
    path: str
    """The module's file, relative to the project."""
    source: str
    """The module's text."""
    spec: str
    bug: str | None
    options: SuiteOptions
