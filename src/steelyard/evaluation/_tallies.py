"""Read the tasks of a record with their samples, and score each task."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

from steelyard.evaluation._record import read_record
from steelyard.evaluation.metrics import beyond, enamel_score
from steelyard.models import Reply
from steelyard.schemas import EvaluatedRun, EvaluatedSample, EvaluatedTask, TaskScore, Verdict

MEASURABLE_MS = 20.0
"""CPU time below which a reference is too short to rank programs by: the start of an interpreter
takes about as long. Source: `benchmarks/judge.py`."""

_NOT_WRONG = {Verdict.AC, Verdict.TLE, Verdict.SK}
"""Verdicts of cases of a program that ENAMEL scores: what exceeds its limit is censored."""


@dataclass(slots=True)
class Tally:
    """A task with its samples, in order."""

    line: EvaluatedTask
    samples: list[EvaluatedSample] = field(default_factory=list)
    unjudged: list[EvaluatedSample] = field(default_factory=list)
    """Samples without a verdict, for the reason in their `error`."""
    references: list[EvaluatedSample] = field(default_factory=list)

    @property
    def cluster(self) -> tuple[str, str]:
        """The contest or family whose tasks are not independent; the task itself if it has none."""
        return ("group", self.line.group) if self.line.group else ("task", self.line.task)

    @property
    def every(self) -> list[EvaluatedSample]:
        """All its samples in order, also those without a verdict."""
        return sorted((*self.samples, *self.unjudged), key=lambda each: (each.seed, each.sample))

    @property
    def share(self) -> float:
        """The share of its samples that pass."""
        return fmean(each.passed for each in self.samples)


def read_tallies(folder: Path, task: str | None = None) -> list[Tally]:
    """Return the tasks of a record; of several lines for one sample, the last one counts.

    Args:
        folder: The evaluation's folder.
        task: The only task to return; None for all.

    Raises:
        UsageError: if the record cannot be read.
    """
    tasks: dict[str, EvaluatedTask] = {}
    found: dict[tuple[str, int, int, str], EvaluatedSample] = {}
    for line in read_record(folder, task):
        if isinstance(line, EvaluatedRun) or task not in (None, line.task):
            continue
        if isinstance(line, EvaluatedTask):
            tasks[line.task] = line
            continue
        place = (line.task, line.seed, line.sample, line.role)
        if line.error is None or place not in found:
            found[place] = line
    tallies = {name: Tally(line) for name, line in tasks.items()}
    for (name, *_), sample in sorted(found.items()):
        tally = tallies[name]
        judged = tally.samples if sample.error is None else tally.unjudged
        (tally.references if sample.role == "reference" else judged).append(sample)
    return list(tallies.values())


def score_of(tally: Tally) -> TaskScore:
    """Return the row of one task."""
    line, samples = tally.line, tally.samples
    passed = [each for each in samples if each.passed]
    efficient = [each for each in passed if each.efficient is not False]  # None: not of solve
    return TaskScore(
        task=line.task,
        group=line.group,
        difficulty=line.difficulty,
        time_complexity=line.time_complexity,
        published=line.published,
        cases=line.cases,
        mutants=line.mutants,
        mutants_killed=line.mutants_killed,
        samples=len(samples),
        passed=len(passed),
        efficient_time=sum(each.within_time for each in efficient),
        efficient_memory=sum(each.within_memory for each in efficient),
        unjudged=len(tally.unjudged),
        verdicts=dict(Counter(each.verdict for each in samples if each.verdict is not None)),
        fastest_ms=min((each.cpu_ms for each in passed), default=None),
        enamel=_enamel(tally),
        beyond=_beyond(tally),
        cost_usd=cost_of(samples),
    )


def cost_of(samples: Iterable[EvaluatedSample | Reply]) -> float | None:
    """Return what models cost for samples or replies, in USD; None if a price is unknown."""
    costs = [each.cost_usd for each in samples]
    return None if None in costs else sum(cost or 0.0 for cost in costs)


def _enamel(tally: Tally) -> tuple[float, ...] | None:
    """Return ENAMEL's score of each sample; the levels are the categories of the tests."""
    best = reference_levels(tally)
    if best is None or not tally.samples:
        return None
    names = sorted(best, key=best.__getitem__)
    reference = [best[name] for name in names]
    return tuple(
        enamel_score([each.levels.get(name) for name in names], reference)
        if each.verdicts.keys() <= _NOT_WRONG
        else 0.0
        for each in tally.samples
    )


def reference_levels(tally: Tally) -> dict[str, float] | None:
    """Return the slowest time of each level over the fastest reference; None if it is too short."""
    right = [
        {name: taken for name, taken in each.levels.items() if taken is not None}
        for each in tally.references
        if each.passed
    ]
    fastest = min(right, key=lambda levels: max(levels.values(), default=0.0), default=None)
    if not fastest or max(fastest.values()) < MEASURABLE_MS:
        return None
    return fastest


def _beyond(tally: Tally) -> float | None:
    """Return the mean of Mercury's score over the samples of a task."""
    references = [each.cpu_ms for each in tally.references if each.passed]
    if not tally.samples or max(references, default=0.0) < MEASURABLE_MS:
        return None
    scores = [beyond(each.cpu_ms if each.passed else None, references) for each in tally.samples]
    known = [score for score in scores if score is not None]
    return fmean(known) if known else None
