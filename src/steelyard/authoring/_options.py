"""Options of authoring."""

from typing import Annotated

from pydantic import Field

from steelyard.options import Options
from steelyard.settings import current_settings

__all__ = ["AuthorOptions"]

ModelText = Annotated[str, Field(min_length=3, max_length=1_000)]


class AuthorOptions(Options):
    """Options of authoring a problem."""

    writer: ModelText = Field(default_factory=lambda: current_settings().models.planner)
    """Model that writes the specification."""
    max_cost_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    max_tokens: int | None = Field(default=None, ge=0)
