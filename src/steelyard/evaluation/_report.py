"""Count the report's figures from the record, and from nothing else."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from steelyard.evaluation._counting import count_metrics, count_months
from steelyard.evaluation._outcomes import SKIPPED
from steelyard.evaluation._record import last_run, read_head
from steelyard.evaluation._tallies import (
    MEASURABLE_MS,
    Tally,
    cost_of,
    read_tallies,
    reference_levels,
    score_of,
)
from steelyard.rendering import counted
from steelyard.schemas import (
    DateWindow,
    EvaluatedRun,
    EvaluationReport,
    Spending,
    Verdict,
    sha256_of,
)


def count_report(folder: Path, k: Sequence[int]) -> EvaluationReport:
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
        verdicts=dict(Counter(each.verdict for each in lines if each.verdict is not None)),
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


def _unjudged_note(tallies: Sequence[Tally]) -> list[str]:
    found = [sample for each in tallies for sample in each.unjudged]
    return [
        f"no verdict for {counted(len(found), 'sample')}, such as one of {first.task}: "
        f"{first.error.message}"
        for first in found[:1]
        if first.error is not None
    ]


def _notes(judged: Sequence[Tally], settings: Mapping[str, object]) -> Iterator[str]:
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


def _clusters_note(judged: Sequence[Tally]) -> str:
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
