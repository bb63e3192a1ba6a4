"""Compare two evaluations task by task."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from steelyard.errors import UsageError
from steelyard.evaluation._counting import METRICS_AT_K, value_at
from steelyard.evaluation._record import read_head
from steelyard.evaluation._tallies import Tally, read_tallies, score_of
from steelyard.evaluation.metrics import compare_paired
from steelyard.rendering import counted
from steelyard.schemas import EvaluationDiff, MetricDifference


def diff_evaluations(
    first: str | Path, second: str | Path, *, k: Sequence[int] = (1, 10, 100), seed: int = 0
) -> EvaluationDiff:
    """Compare two evaluations on the tasks that both have, pair by pair.

    Args:
        first: Folder of the first evaluation.
        second: Folder of the second one.
        k: The k of pass@k and its relatives.
        seed: Seed of the bootstrap.

    Raises:
        UsageError: if a folder holds no evaluation, or they share no task.
    """
    folders = Path(first), Path(second)
    heads = [read_head(folder) for folder in folders]
    one, two = (
        {each.line.task: each for each in read_tallies(path) if each.samples} for path in folders
    )
    both = [name for name in one if name in two]
    if not both:
        raise UsageError(f"{first} and {second} have no task in common; compare other folders")
    notes: list[str] = []
    changed = [name for name in both if one[name].line.suite != two[name].line.suite]
    if changed:
        notes.append(
            f"left out: {counted(len(changed), 'task')} with other tests in the second run, such "
            f"as {changed[0]}"
        )
        both = [name for name in both if name not in set(changed)]
        if not both:
            raise UsageError(
                f"{first} and {second} share no task with equal tests; evaluate one of them again"
            )
    relimited = [name for name in both if _limits(one[name]) != _limits(two[name])]
    if relimited:
        notes.append(
            f"{counted(len(relimited), 'task')} with other limits in the second run, such as "
            f"{relimited[0]}: verdicts of slow or large programs rest on other limits"
        )
    if any(head.settings.get("slack") != heads[0].settings.get("slack") for head in heads):
        notes.append("the runs differ in slack, so their eff@k and pass@k rest on other limits")
    notes += [
        f"left out: {counted(len(run) - len(both), 'task')} of the {name} run without a partner"
        for name, run in (("first", one), ("second", two))
        if len(run) > len(both)
    ]
    shares = {name: one[name].share - two[name].share for name in both}
    return EvaluationDiff(
        first=str(first),
        second=str(second),
        tasks=len(both),
        only_first=len(one.keys() - two.keys()),
        only_second=len(two.keys() - one.keys()),
        differences=tuple(_differences(both, one, two, k, seed)),
        won=tuple(name for name, share in shares.items() if share < 0),
        lost=tuple(name for name, share in shares.items() if share > 0),
        notes=tuple(notes),
    )


def _differences(
    both: Sequence[str],
    one: Mapping[str, Tally],
    two: Mapping[str, Tally],
    k: Sequence[int],
    seed: int,
) -> Iterator[MetricDifference]:
    scores = {name: (score_of(one[name]), score_of(two[name])) for name in both}
    for name in METRICS_AT_K:
        for each in k if name != "pass^k" else ():
            pairs = {
                task: tuple(value_at(name, score, each) for score in pair)
                for task, pair in scores.items()
            }
            known = {
                task: (a, b) for task, (a, b) in pairs.items() if a is not None and b is not None
            }
            if not known:
                continue
            firsts, seconds = [a for a, _ in known.values()], [b for _, b in known.values()]
            clusters = [one[task].cluster for task in known]
            paired = compare_paired(firsts, seconds, clusters, seed=seed)
            yield MetricDifference(
                name=name,
                k=each,
                first=fmean(firsts),
                second=fmean(seconds),
                difference=paired.difference,
                standard_error=paired.standard_error,
                interval=paired.interval,
                won=paired.won,
                lost=paired.lost,
                tied=paired.tied,
                p_value=paired.p_value,
                smallest=paired.smallest,
            )


def _limits(tally: Tally) -> tuple[float, float]:
    return tally.line.time_limit_ms, tally.line.memory_limit_mib
