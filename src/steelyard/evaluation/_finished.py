"""Work with evaluations that have run: merge shards, count figures again, compare two."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from steelyard._arguments import checks_arguments
from steelyard.errors import UsageError
from steelyard.evaluation._folder import (
    EvaluationFolder,
    last_run,
    program_file,
    read_head,
    read_record,
)
from steelyard.evaluation._options import Shard
from steelyard.evaluation._report import (
    METRICS_AT_K,
    TaskTally,
    count_report,
    read_tallies,
    score_of,
    value_at,
)
from steelyard.evaluation._report_files import write_reports
from steelyard.evaluation.metrics import compare_paired
from steelyard.reports import counted
from steelyard.schemas import (
    EvaluatedRun,
    EvaluatedSample,
    EvaluationDiff,
    EvaluationHead,
    EvaluationReport,
    MetricDifference,
)


@checks_arguments
def merge_evaluations(
    folders: Sequence[str | Path],
    out: str | Path,
    *,
    k: Sequence[int] = (1, 10, 100),
    plots: bool = True,
) -> EvaluationReport:
    """Merge shards into one evaluation, and write its reports.

    Args:
        folders: The folders of all shards, each once.
        out: The folder of the whole. Merging again into it adds what is new.
        k: The k of pass@k and its relatives.
        plots: Draw runtime curves, if plotnine is installed.

    Raises:
        UsageError: if shards are missing, or belong to different evaluations.
    """
    paths = [Path(each) for each in folders]
    heads = [read_head(path) for path in paths]
    if not heads:
        raise UsageError("there is nothing to merge; name the folders of all shards")
    _check(paths, heads)
    whole = heads[0].model_copy(update={"shard": "", "begun": min(each.begun for each in heads)})
    with EvaluationFolder(Path(out), whole) as target:
        known = read_record(target.path) if target.resumed else ()
        have = {line.model_dump_json() for line in known}
        for path in paths:
            for line in read_record(path):
                if isinstance(line, EvaluatedRun) or line.model_dump_json() in have:
                    continue
                if isinstance(line, EvaluatedSample) and line.program:
                    _copy_program(line, path, target.path)
                target.append(line)
        target.end(_merged([last_run(path) for path in paths]))
    return view_evaluation(out, k=k, plots=plots)


@checks_arguments
def view_evaluation(
    folder: str | Path, *, k: Sequence[int] = (1, 10, 100), plots: bool = True
) -> EvaluationReport:
    """Count an evaluation's figures again from its record, and write its reports.

    Args:
        folder: Its folder.
        k: The k of pass@k and its relatives.
        plots: Draw runtime curves, if plotnine is installed.

    Raises:
        UsageError: if the folder holds no evaluation, or one of another version.
    """
    path = Path(folder)
    return write_reports(count_report(path, k), path, plots=plots)


def _copy_program(line: EvaluatedSample, source: Path, target: Path) -> None:
    """Copy a sample's program; a shard from another machine may name any path."""
    given, copy = (program_file(folder, line) for folder in (source, target))
    if given is None or copy is None:
        raise UsageError(
            f"{source}: the record names {line.program!r}, which is not among its programs; "
            "do not use this shard"
        )
    if given.is_file():
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(given, copy)


def _merged(runs: Sequence[EvaluatedRun | None]) -> EvaluatedRun:
    """Return the end of the whole. Each shard reads the same files, and leaves out the same rows.

    A shard without an end is still under way, or was killed.
    """
    ended = [run for run in runs if run is not None]
    faults = tuple(dict.fromkeys(fault for run in ended for fault in run.faults))
    return EvaluatedRun(
        complete=len(ended) == len(runs) and all(run.complete for run in ended),
        selected=sum(run.selected for run in ended),
        notes=tuple(dict.fromkeys(note for run in ended for note in run.notes)),
        faults=faults,
        fault_count=max(len(faults), *(run.fault_count for run in ended), 0),
        seconds=sum(run.seconds for run in ended),
    )


def _check(paths: Sequence[Path], heads: Sequence[EvaluationHead]) -> None:
    """Require all shards of one evaluation, each once."""
    first = heads[0]
    for path, head in zip(paths, heads, strict=True):
        if not head.shard:
            raise UsageError(f"{path} is not a shard; name folders that --shard I/N has made")
        for name in ("steelyard", "benchmark", "origin", "source", "settings"):
            if getattr(head, name) != getattr(first, name):
                raise UsageError(
                    f"{path} belongs to another evaluation than {paths[0]}: {name} differs; name "
                    "the shards of one evaluation"
                )
    shards = [Shard.parse(head.shard) for head in heads]
    of = shards[0].of
    missing = sorted(set(range(1, of + 1)) - {each.number for each in shards if each.of == of})
    if missing:
        raise UsageError(f"shard {missing[0]}/{of} is missing; name the folders of all {of} shards")
    if len(shards) != of:
        raise UsageError(f"{len(shards)} folders for {of} shards; name each shard once")


@checks_arguments
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
    one: Mapping[str, TaskTally],
    two: Mapping[str, TaskTally],
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


def _limits(tally: TaskTally) -> tuple[float, float]:
    return tally.line.time_limit_ms, tally.line.memory_limit_mib
