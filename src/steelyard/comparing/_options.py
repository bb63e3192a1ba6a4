"""Options of a comparison."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from steelyard.errors import UsageError
from steelyard.options import Flag, ToleranceOptions, share, words
from steelyard.project_runs import usable_memory
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


class CompareOptions(ToleranceOptions):
    """Options of a comparison.

    `limits` bounds each run, and only the limits that are set count. An unset memory limit is 85 %
    of the machine's memory, at most 4 GiB. `cpu_ms` is the time of a single test, 15 s if unset.
    """

    group: ClassVar[str] = "Tests"
    usual_limits: ClassVar[Mapping[str, str]] = {
        "cpu_ms": str(TEST_TIMEOUT_MS),
        "memory_mib": "85% of the machine's memory, at most 4096",
    }

    tests: Annotated[
        _Paths, Flag("PATH", default="all that pytest finds", note="Repeat for more.")
    ] = Field(default=(), max_length=200)
    """Files or folders of tests in the project."""
    all_tests: Annotated[bool, Flag()] = False
    """Run all tests of the project, and not only the files that can reach the function."""
    inspired: Annotated[_Paths, Flag("PATH", local=True)] = ()
    """File or folder of tests written for this comparison, in the project or outside. Repeat for
    more."""
    python: Annotated[Path | None, Flag("PATH", group="Program", local=True)] = None
    """Interpreter for the project; None is its .venv or venv, else the current one."""
    script: Annotated[tuple[str, ...], Flag('"FILE ARGS"', read=words, local=True)] = ()
    """Script of the project, with its arguments; its calls are compared too."""
    threshold: Annotated[float, Flag("SHARE", group="Comparison", default="5%", read=share)] = (
        Field(default=0.05, ge=0.01, le=10)
    )
    """Least gain that counts, such as 0.05."""
    accept: Annotated[AcceptMode, Flag(group="Comparison")] = "faster"
    """What to accept."""
    method: Annotated[TimingMethod, Flag(group="Comparison")] = "paired"
    """Timing method. `loops` reproduces best-of-N timing and can report false gains."""
    dict_order: Annotated[bool, Flag(group="Advanced")] = True
    """Compare the order of dictionary keys."""
    messages: Annotated[bool, Flag(group="Advanced")] = False
    """Compare the messages of exceptions too; their types always count."""
    strict: Annotated[bool, Flag(group="Comparison")] = False
    """Reject a difference on any generated input, not only on kinds that callers use."""
    coverage: Annotated[float, Flag("SHARE", group="Comparison", default="60%", read=share)] = (
        Field(default=0.6, ge=0, le=1)
    )
    """Warn if less than this share of the function's lines and branches is reached."""
    generate: Annotated[int, Flag("N")] = Field(default=120, ge=0, le=2_000)
    """Number of calls to generate, and of further ones with arguments of other kinds."""
    concolic_s: Annotated[float, Flag("S", group="Advanced", local=True)] = Field(
        default=0.0, ge=0, le=600
    )
    """Seconds to search for calls that differ. Needs CrossHair (the extra `concolic`)."""
    least_cases: Annotated[int, Flag("N", group="Comparison")] = Field(default=6, ge=1, le=10_000)
    """Tests and calls that must agree before the program passes."""

    budget_s: Annotated[float | None, Flag("S", group="Comparison")] = Field(
        default=None, ge=1, le=86_400
    )
    """Seconds for the whole comparison. What does not finish in time is undecided."""

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
                f"limits.memory_mib: give at least {_LEAST_MIB}, got {self.limits.memory_mib}"
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
