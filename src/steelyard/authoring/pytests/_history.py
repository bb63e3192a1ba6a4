"""The figures of all runs that wrote suites, next to their targets."""

import fcntl
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from pydantic import ValidationError

from steelyard._replaced_files import replacing
from steelyard.errors import UsageError
from steelyard.schemas import SuiteFigures, SuiteStatistic, SuiteStatistics
from steelyard.settings import default_database

_MOST_BYTES = 64 << 20
_FINISHED = ("perfect", "rounds")
"""Ends that follow from the suite; other runs were ended by a budget or a fault."""


def history_file() -> Path:
    """Return the file of all runs' figures, in the user's data folder; it need not exist."""
    return default_database().parent / "suites.jsonl"


def keep_figures(figures: SuiteFigures) -> str:
    """Keep the figures of a run, in place of its earlier ones if it was resumed.

    Returns:
        The reason why that failed, or an empty text.
    """
    file = history_file()
    line = f"{figures.model_dump_json()}\n".encode()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with open(file.with_suffix(".lock"), "ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            _put(file, figures.run, line)
    except OSError as error:
        return f"the run's figures are not kept: {file}: {error.strerror}"
    return ""


def _put(file: Path, run: str, line: bytes) -> None:
    """Add a run's line to the file, or replace its earlier one.

    Raises:
        OSError: if the file cannot be read or written; it is then unchanged.
    """
    lines = file.read_bytes().splitlines() if file.exists() else []
    others = (b"%b\n" % each for each in lines if _run_of(each) != run)
    with replacing(file) as out:
        out.buffer.writelines((*others, line))


def _run_of(line: bytes) -> str | None:
    """Return the id of the run of a line; None if the line cannot be read."""
    try:
        return SuiteFigures.model_validate_json(line).run
    except ValidationError:
        return None


def read_figures() -> tuple[tuple[SuiteFigures, ...], int]:
    """Return the figures of each run, and the number of lines that cannot be read.

    Raises:
        UsageError: if the file cannot be read.
    """
    file = history_file()
    try:
        with open(file, "rb") as stream:
            data = stream.read(_MOST_BYTES)
    except FileNotFoundError:
        return (), 0
    except OSError as error:
        raise UsageError(
            f"{file} cannot be read: {error.strerror}; make it readable, or delete it"
        ) from error
    found: list[SuiteFigures] = []
    lost = 0
    for line in data.splitlines():
        try:
            found.append(SuiteFigures.model_validate_json(line))
        except ValidationError:
            lost += 1
    return tuple(found), lost


@dataclass(frozen=True, slots=True)
class _Measure:
    """One figure over all runs."""

    name: str
    unit: str
    low: float
    high: float | None
    value: Callable[[Sequence[SuiteFigures]], float | None]
    fewer: bool = False


def _share(holds: Callable[[SuiteFigures], bool]) -> Callable[[Sequence[SuiteFigures]], float]:
    return lambda runs: 100 * fmean(holds(run) for run in runs)


def _parsed(runs: Sequence[SuiteFigures]) -> float | None:
    replies = sum(run.replies for run in runs)
    return 100 * sum(run.read for run in runs) / replies if replies else None


def _gained(runs: Sequence[SuiteFigures]) -> float | None:
    changed = [run for run in runs if run.perfect_after != 0]
    if not changed:
        return None
    return 100 * fmean(run.coverage_best - run.coverage_first for run in changed)


_MEASURES = (
    _Measure("perfect as first written", "%", 25, 35, _share(lambda run: run.perfect_after == 0)),
    _Measure(
        "perfect after at most 2 reviews",
        "%",
        75,
        85,
        _share(lambda run: run.perfect_after is not None and run.perfect_after <= 2),
    ),
    _Measure("reviews that could be read", "%", 95, None, _parsed),
    _Measure(
        "mean number of reviews",
        "",
        1.5,
        2.5,
        lambda runs: fmean(run.rounds for run in runs),
        fewer=True,
    ),
    _Measure("coverage gained by changes", "points", 30, 40, _gained),
)


def statistics_of(runs: Sequence[SuiteFigures], lost: int = 0) -> SuiteStatistics:
    """Return the figures over all runs.

    Runs that a budget or a fault ended count in no figure.
    """
    finished = [run for run in runs if run.stop in _FINISHED]
    return SuiteStatistics(
        runs=len(runs),
        counted=len(finished),
        unreadable_lines=lost,
        by_reviews={
            number: sum(run.rounds == number for run in finished)
            for number in sorted({run.rounds for run in finished})
        },
        figures=tuple(
            SuiteStatistic(
                name=each.name,
                unit=each.unit,
                value=each.value(finished) if finished else None,
                target_low=each.low,
                target_high=each.high,
                fewer=each.fewer,
            )
            for each in _MEASURES
        ),
    )
