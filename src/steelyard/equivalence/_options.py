"""What a comparison may be told, with what it does where it is not."""

import difflib
import os
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, ValidationError, model_validator

from steelyard.equivalence.running import usable_memory
from steelyard.errors import UsageError
from steelyard.schemas import Limits, Record

__all__ = ["Options"]

_MOST_MIB = 4_096
_MIB = 1 << 20
_CALLED_OTHERWISE = {
    "tolerance": "relative", "rel_tol": "relative", "abs_tol": "absolute",
    "any_dict_order": "dict_order", "concolic": "concolic_s", "test_timeout": "test_timeout_s",
    "timeout": "test_timeout_s", "memory_limit": "memory_mib", "memory": "memory_mib",
}  # fmt: skip
"""Other names that options go by, such as those of the command line."""
_SHORT_NS, _WIDER = 10_000.0, 3.0


class Options(Record):
    """How a comparison is made."""

    tests: tuple[str, ...] = ()
    """Files or folders with tests, relative to the project; all that pytest finds, where empty."""
    inspired: tuple[str, ...] = ()
    """Files or folders with tests that were written for the comparison, beside `tests`: relative to
    the project, or absolute where they lie outside; these are copied in beside it."""
    python: Path | None = None
    """The project's interpreter; its `.venv`, or else the one that runs this, where it is None."""
    script: tuple[str, ...] = ()
    """A script of the project with its arguments, whose calls of the function are recorded too."""
    threshold: float = Field(default=0.05, ge=0.01, le=10)
    """The gain that counts. Below 1 % nobody's claims can be trusted."""
    accept: Literal["faster", "not-slower"] = "faster"
    """What a candidate must be."""
    method: Literal["paired", "loops"] = "paired"
    relative: float = Field(default=0.0, ge=0, lt=1)
    """By how much floats may differ, as a share of the larger one."""
    absolute: float = Field(default=0.0, ge=0)
    """And by how much where they are near zero."""
    dict_order: bool = True
    """Whether the order of a dictionary's keys counts."""
    messages: bool = False
    """Whether the messages of exceptions count; their types always do."""
    coverage: float = Field(default=0.6, ge=0, le=1)
    """Share of the function's lines and branches that must be reached."""
    generate: int = Field(default=60, ge=0, le=2_000)
    """Calls to make up beside the recorded ones."""
    concolic_s: float = Field(default=0.0, ge=0, le=600)
    """Seconds for a solver to look for calls that differ; it is an extra."""
    least_cases: int = Field(default=6, ge=1)
    """Tests and calls that must be alike before anything is accepted."""
    seed: int = 1
    """Of what is made up."""
    test_timeout_s: float = Field(default=15.0, gt=0, le=3_600)
    memory_mib: int | None = Field(default=None, ge=64)
    """For each run; 85 % of memory and swap, and no more than 4 GiB, where it is None."""

    @model_validator(mode="after")
    def _tests_are_within(self) -> Self:
        inside = [test for test in self.inspired if not os.path.isabs(test)]
        if any(os.path.isabs(test) for test in self.tests) or any(
            ".." in Path(test).parts for test in (*self.tests, *inside)
        ):
            raise ValueError("tests are given relative to the project")
        if any(test.startswith("-") for test in (*self.tests, *self.inspired)):
            raise ValueError("tests are files and folders, and no options")
        return self

    @classmethod
    def of(cls, **fields: object) -> Self:
        """The options with these fields.

        Raises:
            UsageError: where one of them is none, or holds what it cannot.
        """
        try:
            return cls.model_validate(fields)
        except ValidationError as error:
            first = error.errors()[0]
            if first["type"] == "extra_forbidden":
                raise UsageError(cls._unknown(str(first["loc"][0]))) from error
            name = ".".join(str(part) for part in first["loc"]) or "options"
            said = first["msg"].removeprefix("Value error, ")
            raise UsageError(
                f"{name}: {said[:1].lower()}{said[1:]}, not {first['input']!r}; change it"
            ) from error

    @classmethod
    def _unknown(cls, name: str) -> str:
        names = list(cls.model_fields)
        close = difflib.get_close_matches(name, [*names, *_CALLED_OTHERWISE], cutoff=0.5)
        first = list(dict.fromkeys(_CALLED_OTHERWISE.get(each, each) for each in close))
        names = [*first, *(each for each in names if each not in first)]
        return f"there is no option {name}; use one of {', '.join(names)}"

    def threshold_for(self, call_ns: float) -> float:
        """The gain that counts, wider for functions of less than 10 microseconds.

        Args:
            call_ns: How long the original's calls take.
        """
        return self.threshold * _WIDER if call_ns < _SHORT_NS else self.threshold

    def limits(self, seconds: float) -> Limits:
        """The bounds of one run."""
        millis = max(1_000, round(seconds * 1_000))
        memory = min(self.memory_mib or _MOST_MIB, usable_memory() // _MIB)
        return Limits(
            cpu_ms=millis, wall_ms=millis, memory_mib=memory, file_mib=1_024, processes=256
        )
