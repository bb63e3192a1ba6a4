"""Count the report's figures from the record, and from nothing else.

1. `read_tallies` reads the tasks of a record with their samples.
2. `score_of` scores each task, `count_metrics` the whole.
3. `count_report` adds what the run noted. `stored_report` counts only if there is no newer report.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

from pydantic import ValidationError

from steelyard.evaluation._folder import (
    RECORD,
    SampleId,
    identity_of,
    last_run,
    program_file,
    read_head,
    read_record,
)
from steelyard.evaluation._outcomes import SKIPPED
from steelyard.evaluation.metrics import (
    beyond,
    bootstrap_interval,
    enamel_eff_at_k,
    enamel_score,
    mean_interval,
    pass_at_k,
    pass_hat_k,
    standard_error,
)
from steelyard.models import Reply
from steelyard.reports import counted
from steelyard.schemas import (
    DateWindow,
    EvaluatedRun,
    EvaluatedSample,
    EvaluatedTask,
    EvaluationReport,
    MetricName,
    MetricValue,
    MonthScore,
    Spending,
    TaskScore,
    Verdict,
    sha256_of,
)


def count_report(folder: Path, k: Sequence[int] = (1, 10, 100)) -> EvaluationReport:
    """Return the report of the evaluation in a folder.

    Args:
        folder: The folder.
        k: The k of pass@k and its relatives.

    Raises:
        UsageError: if the folder holds no evaluation, or one of another version.
    """
    head, end = read_head(folder), last_run(folder) or EvaluatedRun(complete=False)
    tallies = read_tallies(folder)
    left_out = [each for each in tallies if each.line.fault]
    judged = [each for each in tallies if each.samples and not each.line.fault]
    lines = [sample for tally in judged for sample in tally.samples]
    executions = Counter[Verdict]()
    for sample in lines:
        executions.update(sample.verdicts)
    run = sum(count for verdict, count in executions.items() if verdict not in SKIPPED)
    selected = max(end.selected, len(tallies))
    metrics = count_metrics(
        judged, lines, executions, run, k, selected=selected, solved=head.origin == "solve"
    )
    faults = [*end.faults, *(f"task {each.line.task}: {each.line.fault}" for each in left_out)]
    return EvaluationReport(
        benchmark=head.benchmark,
        version=sha256_of("".join(f"{each.line.task}\0{each.line.digest}\0" for each in judged)),
        origin=head.origin,
        source=head.source,
        folder=str(folder),
        shard=head.shard,
        selected=selected,
        tasks=len(judged),
        samples=len(lines),
        passes=sum(sample.passed for sample in lines),
        unjudged=sum(len(each.unjudged) for each in tallies),
        tasks_left_out=len(left_out),
        faults=tuple(faults),
        fault_count=max(len(faults), end.fault_count + len(left_out)),
        complete=end.complete,
        verdicts=_verdicts(lines),
        executions=run,
        window=DateWindow(after=head.settings.get("after"), before=head.settings.get("before")),
        metrics=tuple(metrics),
        months=tuple(count_months(judged)),
        scores=tuple(score_of(each) for each in tallies if not each.line.fault),
        spending=Spending(
            calls=sum(each.tokens_out > 0 for each in lines),
            tokens_in=sum(each.tokens_in for each in lines),
            tokens_out=sum(each.tokens_out for each in lines),
            cost_usd=cost_of(lines),
        ),
        notes=(*end.notes, *_unjudged_note(tallies), *_notes(judged, head.settings)),
        seconds=end.seconds,
        isolation=next((each.isolation for each in lines if each.isolation), None),
    )


@dataclass(slots=True)
class TaskTally:
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


def _unjudged_note(tallies: Sequence[TaskTally]) -> list[str]:
    found = [sample for each in tallies for sample in each.unjudged]
    return [
        f"no verdict for {counted(len(found), 'sample')}, such as one of {first.task}: "
        f"{first.error.message}"
        for first in found[:1]
        if first.error is not None
    ]


def _notes(judged: Sequence[TaskTally], settings: Mapping[str, object]) -> Iterator[str]:
    unstated = sum(not each.line.limits_stated for each in judged)
    if unstated:
        limit_ms = next(each.line.time_limit_ms for each in judged if not each.line.limits_stated)
        yield (
            f"no time limit is stated for {counted(unstated, 'task')}: each case gets "
            f"{limit_ms:,.0f} ms of CPU time"
        )
    if judged:
        yield _clusters_note(judged)
    if settings.get("slack") == 1.0 and all(s.efficient is None for t in judged for s in t.samples):
        yield (
            "programs end at their limits, so eff@k_runtime equals pass@k; --slack lets right but "
            "slow programs finish"
        )
    if settings.get("efficiency"):
        short = sum(reference_levels(each) is None for each in judged)
        if short:
            yield (
                f"ENAMEL's eff@k is undefined for {counted(short, 'task')} without a reference "
                f"that takes {MEASURABLE_MS:g} ms or more"
            )


def _clusters_note(judged: Sequence[TaskTally]) -> str:
    """Return the note on what standard errors and intervals are clustered by."""
    ungrouped = sum(not each.line.group for each in judged)
    if ungrouped == len(judged):
        return "no task names a contest or family, so each task is a cluster of its own"
    clusters = len({each.cluster for each in judged})
    note = (
        "standard errors and intervals are clustered by contest or family: "
        f"{counted(len(judged), 'task')} in {counted(clusters, 'cluster')}"
    )
    return f"{note}; each task without one is a cluster ({ungrouped:,})" if ungrouped else note


def stored_report(folder: Path) -> EvaluationReport:
    """Return the report of an evaluation; counted from its record if there is no newer one.

    Raises:
        UsageError: if the folder holds no evaluation, or one of another version.
    """
    read_head(folder)
    file = folder / "report.json"
    try:
        if file.stat().st_mtime_ns >= (folder / RECORD).stat().st_mtime_ns:
            return EvaluationReport.model_validate_json(file.read_bytes())
    except (OSError, ValidationError):
        pass  # there is none yet, or another version wrote it
    return count_report(folder)


def stored_task(folder: Path, task: str) -> TaskTally | None:
    """Return a task with its samples; None if the record does not have it.

    Raises:
        UsageError: if the record cannot be read.
    """
    return next(iter(read_tallies(folder, task)), None)


def stored_program(folder: Path, sample: EvaluatedSample, *, most_bytes: int) -> str:
    """Return the text of a sample's program; empty if it was not kept or is outside the folder.

    Args:
        folder: Of the evaluation.
        sample: A line of its record.
        most_bytes: The part to read.
    """
    file = program_file(folder, sample) if sample.program else None
    if file is None or not file.is_file():
        return ""
    try:
        with file.open("rb") as source:
            return source.read(most_bytes).decode("utf-8", "replace")
    except OSError:
        return ""


METRICS_AT_K: tuple[MetricName, ...] = (
    "pass@k",
    "pass^k",
    "eff@k_runtime",
    "eff@k_memory",
    "enamel_eff@k",
)


def value_at(name: MetricName, score: TaskScore, k: int) -> float | None:
    """Return a metric of `METRICS_AT_K` on one task; None if it is undefined."""
    if name == "enamel_eff@k":
        return None if score.enamel is None else enamel_eff_at_k(score.enamel, k)
    efficient = {"eff@k_runtime": score.efficient_time, "eff@k_memory": score.efficient_memory}
    estimate = pass_hat_k if name == "pass^k" else pass_at_k
    return estimate(score.samples, efficient.get(name, score.passed), k)


def count_metrics(
    judged: Sequence[TaskTally],
    lines: Sequence[EvaluatedSample],
    executions: Mapping[Verdict, int],
    run: int,
    k: Sequence[int],
    *,
    selected: int,
    solved: bool,
) -> Iterator[MetricValue]:
    """Yield all metrics.

    Args:
        judged: The tasks that have a verdict.
        lines: Their samples.
        executions: Number of cases by verdict.
        run: Number of cases that were run.
        k: The k of pass@k and its relatives.
        selected: Number of tasks of the selection; a metric on fewer of them names both numbers.
        solved: True if runs of solve wrote the samples.
    """
    scores = [score_of(each) for each in judged]
    clusters = [each.cluster for each in judged]

    def over(name: MetricName, values: Sequence[float | None], k: int | None = None) -> MetricValue:
        mean = _mean(name, values, clusters, k)
        fewer = 0 < mean.tasks < selected
        basis = f"{mean.tasks:,} of {selected:,} tasks" if fewer else ""
        return mean.model_copy(update={"basis": basis})

    for each in METRICS_AT_K:
        if each == "enamel_eff@k" and all(score.enamel is None for score in scores):
            continue
        for own in k:
            if each != "pass^k" or own > 1:
                yield over(each, [value_at(each, score, own) for score in scores], own)
    if any(score.beyond is not None for score in scores):
        yield over("beyond", [score.beyond for score in scores])
    for rate, verdict in (("tle_rate", Verdict.TLE), ("mle_rate", Verdict.MLE)):
        count = executions.get(verdict, 0)
        yield MetricValue(
            name=rate,  # type: ignore[arg-type]
            value=count / run if run else None,
            tasks=len(judged),
            basis=f"{count:,} of {run:,} executions",
        )
    if solved:
        yield _iterations(judged, lines)
    if any(each.cost_usd != 0 for each in lines):
        yield _cost(scores, lines)


def _mean(
    name: MetricName,
    values: Sequence[float | None],
    clusters: Sequence[tuple[str, str]],
    k: int | None,
) -> MetricValue:
    known = [
        (value, cluster)
        for value, cluster in zip(values, clusters, strict=True)
        if value is not None
    ]
    if not known:
        return MetricValue(name=name, k=k)
    defined, own = [value for value, _ in known], [cluster for _, cluster in known]
    return MetricValue(
        name=name,
        k=k,
        value=fmean(defined),
        standard_error=standard_error(defined, own),
        interval=mean_interval(defined, own),
        tasks=len(defined),
        unit="score" if name in ("enamel_eff@k", "beyond") else "share",
    )


def _iterations(judged: Sequence[TaskTally], lines: Sequence[EvaluatedSample]) -> MetricValue:
    """Return the mean number of iterations until a program was efficient."""
    means, clusters, efficient = [], [], 0
    for tally in judged:
        own = [each.iterations for each in tally.samples if each.efficient and each.iterations]
        efficient += len(own)
        if own:
            means.append(fmean(own))
            clusters.append(tally.cluster)
    basis = f"{efficient:,} of {len(lines):,} runs became efficient"
    if not means:
        return MetricValue(name="iterations", unit="count", basis=basis)
    # Wilson's interval is for shares: equal counts have none.
    interval = bootstrap_interval(means, clusters) if len(set(means)) > 1 else None
    mean = _mean("iterations", means, clusters, None)
    return mean.model_copy(update={"unit": "count", "basis": basis, "interval": interval})


def _cost(scores: Sequence[TaskScore], lines: Sequence[EvaluatedSample]) -> MetricValue:
    """Return the cost of all samples, divided by the tasks that one of them solves."""
    solved = sum(score.passed > 0 for score in scores)
    total = cost_of(lines)
    return MetricValue(
        name="cost_per_solved",
        value=total / solved if solved and total is not None else None,
        tasks=solved,
        unit="USD",
        basis="a price is unknown"
        if total is None
        else f"${total:.4f} for {solved:,} solved tasks",
    )


def count_months(judged: Sequence[TaskTally]) -> Iterator[MonthScore]:
    """Yield pass@1 by month of publication; a drop shows what a model had seen before."""
    by_month: dict[str, list[TaskTally]] = {}
    for tally in judged:
        if tally.line.published is not None:
            by_month.setdefault(f"{tally.line.published:%Y-%m}", []).append(tally)
    for month, own in sorted(by_month.items()):
        shares = [tally.share for tally in own]
        interval = mean_interval(shares, [tally.cluster for tally in own])
        yield MonthScore(month=month, tasks=len(own), value=fmean(shares), interval=interval)


MEASURABLE_MS = 20.0
"""CPU time below which a reference is too short to rank programs by: the start of an interpreter
takes about as long. Source: `benchmarks/judge.py`."""
_NOT_WRONG = {Verdict.AC, Verdict.TLE, Verdict.SK}
"""Verdicts of cases of a program that ENAMEL scores: what exceeds its limit is censored."""


def read_tallies(folder: Path, task: str | None = None) -> list[TaskTally]:
    """Return the tasks of a record; of several lines for one sample, the last one counts.

    Args:
        folder: The evaluation's folder.
        task: The only task to return; None for all.

    Raises:
        UsageError: if the record cannot be read.
    """
    tasks: dict[str, EvaluatedTask] = {}
    found: dict[SampleId, EvaluatedSample] = {}
    for line in read_record(folder, task):
        if isinstance(line, EvaluatedRun) or task not in (None, line.task):
            continue
        if isinstance(line, EvaluatedTask):
            tasks[line.task] = line
            continue
        sample_id = identity_of(line)
        if line.error is None or sample_id not in found:
            found[sample_id] = line
    tallies = {name: TaskTally(line) for name, line in tasks.items()}
    for (name, *_), sample in sorted(found.items()):
        tally = tallies[name]
        judged = tally.samples if sample.error is None else tally.unjudged
        (tally.references if sample.role == "reference" else judged).append(sample)
    return list(tallies.values())


def score_of(tally: TaskTally) -> TaskScore:
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
        verdicts=_verdicts(samples),
        fastest_ms=min((each.cpu_ms for each in passed), default=None),
        enamel=_enamel(tally),
        beyond=_beyond(tally),
        cost_usd=cost_of(samples),
    )


def _verdicts(samples: Iterable[EvaluatedSample]) -> dict[Verdict, int]:
    """Return the number of samples by verdict: accepted ones, then the most frequent."""
    counts = Counter(each.verdict for each in samples if each.verdict is not None)
    return dict(sorted(counts.items(), key=lambda pair: (pair[0] is not Verdict.AC, -pair[1])))


def cost_of(samples: Iterable[EvaluatedSample | Reply]) -> float | None:
    """Return what models cost for samples or replies, in USD; None if a price is unknown."""
    costs = [each.cost_usd for each in samples]
    return None if None in costs else sum(cost or 0.0 for cost in costs)


def _enamel(tally: TaskTally) -> tuple[float, ...] | None:
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


def reference_levels(tally: TaskTally) -> dict[str, float] | None:
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


def _beyond(tally: TaskTally) -> float | None:
    """Return the mean of Mercury's score over the samples of a task."""
    references = [each.cpu_ms for each in tally.references if each.passed]
    if not tally.samples or max(references, default=0.0) < MEASURABLE_MS:
        return None
    scores = [beyond(each.cpu_ms if each.passed else None, references) for each in tally.samples]
    known = [score for score in scores if score is not None]
    return fmean(known) if known else None
