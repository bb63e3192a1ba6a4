"""Options of a comparison."""

import os
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from steelyard.equivalence.running import usable_memory
from steelyard.errors import UsageError
from steelyard.options import Options
from steelyard.schemas import Limits

AcceptMode = Literal["faster", "not-slower"]
"""The speed that a candidate needs to be accepted."""
TimingMethod = Literal["paired", "loops"]
"""`loops` reproduces best-of-N timing and can report false gains."""

TEST_TIMEOUT_MS = 15_000
_LEAST_MIB, _MOST_MIB = 64, 4_096
_MIB = 1 << 20
_SHORT_NS, _WIDER = 10_000.0, 3.0


def _as_paths(value: object) -> object:
    """Return paths as a tuple of texts; a single path counts as one."""
    each = (value,) if isinstance(value, str | Path) else value
    if not isinstance(each, list | tuple):
        return each
    return tuple(str(item) if isinstance(item, Path) else item for item in each)


_Paths = Annotated[tuple[str, ...], BeforeValidator(_as_paths)]


class CompareOptions(Options):
    """Options of a comparison.

    `limits` bounds each run, and only the limits that are set count. An unset memory limit is 85 %
    of the machine's memory, at most 4 GiB. `cpu_ms` is the time of a single test, 15 s if unset.
    """

    tests: _Paths = ()
    """Files or folders with tests, relative to the project; empty for all that pytest finds."""
    inspired: _Paths = ()
    """Files or folders with tests that were written for the comparison, in addition to `tests`:
    relative to the project, or absolute if outside it; the latter are copied into the cell."""
    python: Path | None = None
    """The project's interpreter; None is its `.venv` or `venv`, else the current one."""
    script: tuple[str, ...] = ()
    """A script of the project with its arguments, whose calls of the function are recorded too."""
    threshold: float = Field(default=0.05, ge=0.01, le=10)
    """The smallest gain that counts. Claims below 1 % cannot be trusted."""
    accept: AcceptMode = "faster"
    """The speed that a candidate needs to be accepted."""
    method: TimingMethod = "paired"
    """Timing method."""
    rel_tol: float = Field(default=0.0, ge=0, lt=1)
    """Largest difference of floats, relative to the larger one."""
    abs_tol: float = Field(default=0.0, ge=0)
    """Largest absolute difference of floats."""
    dict_order: bool = True
    """Whether the order of a dictionary's keys counts."""
    messages: bool = False
    """Whether the messages of exceptions count; their types always do."""
    coverage: float = Field(default=0.6, ge=0, le=1)
    """Share of the function's lines and branches that must be reached."""
    generate: int = Field(default=60, ge=0, le=2_000)
    """Number of calls to generate in addition to the recorded ones."""
    concolic_s: float = Field(default=0.0, ge=0, le=600)
    """Seconds for a solver to look for calls that differ; it is an extra."""
    least_cases: int = Field(default=6, ge=1)
    """Tests and calls that must agree before anything is accepted."""

    @model_validator(mode="after")
    def _tests_are_within(self) -> Self:
        inside = [test for test in self.inspired if not os.path.isabs(test)]
        if any(os.path.isabs(test) for test in self.tests) or any(
            ".." in Path(test).parts for test in (*self.tests, *inside)
        ):
            raise UsageError("tests must be paths relative to the project; change them")
        if any(test.startswith("-") for test in (*self.tests, *self.inspired)):
            raise UsageError("tests must be files or folders, not options; change them")
        if self.limits is not None and self.limits.memory_mib < _LEAST_MIB:
            raise UsageError(
                f"limits.memory_mib must be at least {_LEAST_MIB}, got {self.limits.memory_mib}"
            )
        return self

    @property
    def test_timeout_s(self) -> float:
        """Return the seconds that a single test may take."""
        if self.limits is None or "cpu_ms" not in self.limits.model_fields_set:
            return TEST_TIMEOUT_MS / 1_000
        return self.limits.cpu_ms / 1_000

    def wide_threshold_for(self, call_ns: float) -> float:
        """Return the gain that counts if the interval is wide.

        It is larger than `threshold` for functions of less than 10 microseconds.

        Args:
            call_ns: Time of one call of the original, in ns.
        """
        return self.threshold * _WIDER if call_ns < _SHORT_NS else self.threshold

    def run_limits(self, seconds: float) -> Limits:
        """Return the bounds of one run that may take so many seconds."""
        millis = max(1_000, round(seconds * 1_000))
        memory = min(_MOST_MIB, usable_memory() // _MIB)
        usual = Limits(
            cpu_ms=millis, wall_ms=millis, memory_mib=memory, file_mib=1_024, processes=256
        )
        if self.limits is None:
            return usual
        given = self.limits.model_fields_set - {"cpu_ms", "wall_ms"}
        return usual.replace(**{name: getattr(self.limits, name) for name in given})
