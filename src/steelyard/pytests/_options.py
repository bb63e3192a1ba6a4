"""Options of writing a suite."""

from typing import Annotated

from pydantic import Field

from steelyard.options import Options
from steelyard.settings import current_settings

ModelText = Annotated[str, Field(min_length=3, max_length=1_000)]


class SuiteOptions(Options):
    """Options of writing a pytest suite. A run stores them with its artefacts.

    Of `limits` only `memory_mib` counts, for each run of the suite.
    """

    tester: ModelText = Field(default_factory=lambda: current_settings().models.coder)
    """Model that writes the suite."""
    reviewer: ModelText = Field(default_factory=lambda: current_settings().models.coder)
    """Model that reviews and improves it."""
    max_rounds: int = Field(default=5, ge=1, le=20)
    """Reviews of the suite."""
    max_cost_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    max_tokens: int | None = Field(default=None, ge=0)
    most_mutants: int = Field(default=80, ge=0, le=1_000)
    """Small changes of the module that the tests should notice."""
