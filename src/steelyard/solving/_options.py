"""What a run of the loop may be told, with what it does where it is not."""

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import Field, ValidationError

from steelyard.errors import UsageError
from steelyard.schemas import Record, SolutionLanguage
from steelyard.settings import current_settings

__all__ = ["SolveOptions"]

_BOUNDS = {"max_iter", "diminish_delta", "max_cost_usd", "max_tokens", "profile_budget_s"}
"""What may change where a run goes on."""
ModelText = Annotated[str, Field(min_length=3, max_length=1_000)]


class SolveOptions(Record):
    """How a problem is solved. Kept beside a run's artefacts, so that it can go on alike."""

    planner: ModelText = Field(default_factory=lambda: current_settings().models.planner)
    coder: ModelText = Field(default_factory=lambda: current_settings().models.coder)
    analyst: ModelText = Field(default_factory=lambda: current_settings().models.analyst)
    language: SolutionLanguage = "cpp"
    max_iter: int = Field(default=3, ge=1, le=50)
    """Programs that the coder may write."""
    max_plans: int = Field(default=2, ge=1, le=10)
    """Plans that the static rules may refuse one after the other before the run ends."""
    diminish_delta: float = Field(default=0.05, ge=0, lt=1)
    """The gain on the best program before, below which going on is not worth it."""
    seed: int = 1
    """Of models that take one, and of inputs."""
    max_cost_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    max_tokens: int | None = Field(default=None, ge=0)
    profile_budget_s: float = Field(default=8.0, gt=0, le=600)
    """About how long all runs of one profile may take together."""

    @classmethod
    def of(cls, **fields: object) -> Self:
        """The options with these fields; those that are None are left at their default.

        Raises:
            UsageError: where one of them is none, or holds what it cannot.
        """
        return cls._checked({name: each for name, each in fields.items() if each is not None})

    def changed(self, **fields: object) -> Self:
        """The options of a run that goes on with these fields; None changes nothing.

        Only bounds can change: all else shaped the replies that were paid for.

        Raises:
            UsageError: where one is unknown, another one would change, or one holds what it
                cannot.
        """
        had = self.model_dump()
        unknown = [name for name in fields if name not in had]
        if unknown:
            raise UsageError(
                f"there is no bound {unknown[0]!r}; there are {', '.join(sorted(_BOUNDS))}"
            )
        new = {name: each for name, each in fields.items() if each not in (None, had.get(name))}
        fixed = [name for name in new if name not in _BOUNDS]
        if fixed:
            raise UsageError(
                f"the run to go on with has {fixed[0]} {had.get(fixed[0])!r}, which cannot change; "
                "leave the option out, or begin another run"
            )
        return self._checked({**had, **new})

    @classmethod
    def _checked(cls, fields: Mapping[str, object]) -> Self:
        try:
            return cls.model_validate(fields)
        except ValidationError as error:
            first = error.errors()[0]
            name = ".".join(str(part) for part in first["loc"]) or "options"
            raise UsageError(
                f"{name}: {first['msg'].lower()}, not {first['input']!r}; change it"
            ) from error
