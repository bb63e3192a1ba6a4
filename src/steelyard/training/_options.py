"""Options of `reward`."""

from functools import partial
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from steelyard.errors import UsageError
from steelyard.judging import JudgeOptions
from steelyard.training._extraction import Extraction
from steelyard.training._policies import policy_of

OnFailure = Literal["raise", "none"]
"""On an error, `raise` ends the batch; `none` leaves that completion without a reward."""


class RewardOptions(JudgeOptions):
    """Options of `reward`: those of `judge`, and those of a batch of completions.

    `reward` also takes a policy's name, or its name with arguments, as configuration files hold it.
    """

    language: str | None = "python"
    """A name from the language table; None is Python."""
    extraction: Extraction = "reply"
    """Rule that takes the program out of a completion."""
    on_error: OnFailure = "raise"
    """On an error, `raise` ends the batch; `none` leaves that completion without a reward."""
    jobs: int | None = Field(default=None, ge=1)
    """Number of cells of a pool of the reward's own; None is the pool that the process shares."""

    @field_validator("reward", mode="before")
    @classmethod
    def _named_policy(cls, given: object) -> object:
        return None if given is None else policy_of(given)

    @model_validator(mode="after")
    def _fit_together(self) -> "RewardOptions":
        if self.pool is not None and self.jobs is not None:
            raise UsageError("pool and jobs are both given; omit one")
        if self.on_event is not None:
            raise UsageError("a reward has no on_event; pass on_result to score")
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what makes the options again in another process, which has pools of its own."""
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        return partial(type(self).of, **fields | {"pool": None}), ()
