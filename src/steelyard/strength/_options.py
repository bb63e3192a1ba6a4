"""Options of `measure_strength`."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic import Field, JsonValue, SkipValidation

from steelyard.judging import MatchMode
from steelyard.options import Options
from steelyard.schemas import Entry, Specification, StressSize

MUTANTS = 200


class StrengthOptions(Options):
    """Options of `measure_strength`; `limits` apply to each case."""

    spec: Specification | str | Path | None = None
    """The specification, or its JSON file: for validity, bounds, and the search for inputs."""
    wrong: Sequence[str | bytes | Path] = ()
    """Planted wrong programs, which the suite must kill."""
    slow: Sequence[str | bytes | Path] = ()
    """Planted slow programs, which give right answers and must exceed a limit. The first one also
    sets the size of stress inputs."""
    growth: StressSize | None = None
    """The size of stress inputs, if it is known; None measures it."""
    references: Sequence[str | bytes | Path] = ()
    """Other solutions, written without sight of the solution."""
    mutants: int = Field(default=MUTANTS, ge=0, le=100_000)
    """Largest number of mutants of the solution."""
    entry: Entry | str | None = None
    """How programs are entered; None is `class:Solution.solve`, or `stdio` for a folder."""
    candidates: SkipValidation[Iterable[Sequence[JsonValue]] | None] = Field(
        default=None, exclude=True
    )
    """Arguments of calls that are tried on surviving mutants."""
    match_mode: MatchMode | None = None
    """How outputs or values are compared; None is the specification's, else `exact`."""
    abs_tol: float | None = None
    """For modes that compare numbers, the largest absolute difference."""
    rel_tol: float | None = None
    """For these, the largest difference relative to the expected number."""
    sequences_alike: bool = False
    """For calls, a list equals a tuple with the same items."""
    ignore_case: bool = False
    """For printed words and lines, `A` to `Z` equal `a` to `z`."""
    preload: Sequence[str] = ()
    """For Python, modules to load beforehand, such as `numpy`."""
