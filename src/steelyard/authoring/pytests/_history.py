"""The figures of all runs that wrote suites, next to their targets."""

import fcntl
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
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


def _figures(runs: Sequence[SuiteFigures]) -> Iterator[SuiteStatistic]:
    """Yield the figures over some runs, each with its target."""

    def of(
        name: str, unit: str, low: float, high: float | None, values: Iterable[float]
    ) -> SuiteStatistic:
        found = list(values)
        value = fmean(found) if found else None
        return SuiteStatistic(name=name, unit=unit, value=value, target_low=low, target_high=high)

    after = [run.perfect_after for run in runs]
    yield of("perfect as first written", "%", 25, 35, [100 * (each == 0) for each in after])
    few = [100 * (each is not None and each <= 2) for each in after]
    yield of("perfect after at most 2 reviews", "%", 75, 85, few)
    read = [100 * (number < run.read) for run in runs for number in range(run.replies)]
    yield of("reviews that could be read", "%", 95, None, read)
    reviews = of("mean number of reviews", "", 1.5, 2.5, [run.rounds for run in runs])
    yield reviews.model_copy(update={"fewer": True})
    changed = [run for run in runs if run.perfect_after != 0]
    gained = [100 * (run.coverage_best - run.coverage_first) for run in changed]
    yield of("coverage gained by changes", "points", 30, 40, gained)


def statistics_of(runs: Sequence[SuiteFigures], lost: int = 0) -> SuiteStatistics:
    """Return the figures over all runs.

    Runs that a budget or a fault ended count in no figure.
    """
    finished = [run for run in runs if run.stop in _FINISHED]
    return SuiteStatistics(
        runs=len(runs),
        counted=len(finished),
        unreadable_lines=lost,
        by_reviews=dict(sorted(Counter(run.rounds for run in finished).items())),
        figures=tuple(_figures(finished)),
    )
