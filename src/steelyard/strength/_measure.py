"""`measure_strength(...)`: a certificate of what a suite kills."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic import JsonValue

from steelyard.judging import MatchMode, TestSource
from steelyard.options import in_thread
from steelyard.sandbox import CellPool
from steelyard.schemas import (
    AuthoredSuite,
    Entry,
    Limits,
    OnEvent,
    Specification,
    StrengthReport,
    StressSize,
)
from steelyard.strength._measurement import Measurement
from steelyard.strength._options import MUTANTS, StrengthOptions

Program = str | bytes | Path


def measure_strength(
    suite: AuthoredSuite | TestSource,
    solution: Program,
    *,
    spec: Specification | str | Path | None = None,
    wrong: Sequence[Program] = (),
    slow: Sequence[Program] = (),
    growth: StressSize | None = None,
    references: Sequence[Program] = (),
    mutants: int = MUTANTS,
    entry: Entry | str | None = None,
    candidates: Iterable[Sequence[JsonValue]] | None = None,
    match_mode: MatchMode | None = None,
    abs_tol: float | None = None,
    rel_tol: float | None = None,
    sequences_alike: bool = False,
    ignore_case: bool = False,
    preload: Sequence[str] = (),
    pool: CellPool | None = None,
    limits: Limits | None = None,
    seed: int | None = 0,
    on_event: OnEvent | None = None,
) -> StrengthReport:
    """Measure how strong a suite is: which programs it kills that are not right, or not fast.

    Args:
        suite: An authored suite, or cases as for `judge`.
        solution: A right program, which passes every case. A `Path` is a file; `str` and `bytes`
            are the program's text.
        spec: The specification, or its JSON file. Without it validity and bounds are unknown.
        wrong: Planted wrong programs.
        slow: Planted slow programs, whose answers are right.
        growth: The size of stress inputs, if it is known; None measures it with the first slow
            program, which needs `spec`.
        references: Other solutions, written without sight of the solution.
        mutants: Largest number of mutants of the solution.
        entry: How programs are entered; None is `class:Solution.solve`, or `stdio` for a folder.
        candidates: Arguments of calls that are tried on surviving mutants, in this order: three
            for each case of the suite, and at least 60. None makes them from the specification.
        match_mode: As for `judge`; None is the specification's, else `exact`.
        abs_tol: For modes that compare numbers, the largest absolute difference.
        rel_tol: For these, the largest difference relative to the expected number.
        sequences_alike: For calls, a list equals a tuple with the same items.
        ignore_case: For printed words and lines, `A` to `Z` equal `a` to `z`.
        preload: For Python, modules to load beforehand, such as `numpy`.
        pool: Where programs run; None is the pool that the process shares.
        limits: Limits of each case; 2 seconds of CPU time if it is not set.
        seed: Seed of hashing and `random` in Python programs; None picks one per run.
        on_event: Called with each step of progress.

    Raises:
        TestsError: if the suite has no cases, or cannot be read.
        UsageError: if the solution does not pass the suite, or a program does not compile.
        InfrastructureError: if the machine failed.
    """
    options = StrengthOptions.of(
        spec=spec,
        wrong=wrong,
        slow=slow,
        growth=growth,
        references=references,
        mutants=mutants,
        entry=entry,
        candidates=candidates,
        match_mode=match_mode,
        abs_tol=abs_tol,
        rel_tol=rel_tol,
        sequences_alike=sequences_alike,
        ignore_case=ignore_case,
        preload=preload,
        pool=pool,
        limits=limits,
        seed=seed,
        on_event=on_event,
    )
    return Measurement(suite, solution, options).report()


ameasure_strength = in_thread(measure_strength, "ameasure_strength")
