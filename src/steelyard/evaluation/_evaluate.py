"""`evaluate(...)`: a benchmark's tasks against samples, a model, or the solve loop."""

import re
import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from steelyard import __version__
from steelyard.datasets import open_benchmark
from steelyard.evaluation._folder import EvaluationFolder
from steelyard.evaluation._options import EvaluateOptions
from steelyard.evaluation._report import count_report
from steelyard.evaluation._report_files import write_reports
from steelyard.evaluation._run import EvaluationRun
from steelyard.evaluation._samples import read_samples
from steelyard.evaluation._tasks import LeftOutRows
from steelyard.evaluation.engines import EngineName
from steelyard.options import in_thread
from steelyard.sandbox import CellPool
from steelyard.schemas import (
    EvaluatedRun,
    EvaluationHead,
    EvaluationReport,
    IsolationLevel,
    Limits,
    OnEvent,
    canonical_json,
    sha256_of,
)


def evaluate(
    benchmark: str | Path = "core",
    *,
    samples: str | Path | None = None,
    model: str | None = None,
    solve: bool = False,
    n: int = 1,
    seeds: Sequence[int] = (0,),
    replans: int = 2,
    language: str | None = None,
    k: Sequence[int] = (1, 10, 100),
    limit: int | None = None,
    filter: str | None = None,  # noqa: A002  (the option's name)
    after: date | None = None,
    before: date | None = None,
    shard: str | None = None,
    allow_missing: bool = False,
    slack: float = 1.0,
    all_cases: bool = False,
    efficiency: bool = False,
    mutants: int = 0,
    max_cost_usd: float | None = None,
    max_tokens: int | None = None,
    engine: EngineName = "local",
    cluster: str | None = None,
    jobs: int | None = None,
    require: IsolationLevel | None = None,
    plots: bool = True,
    out: str | Path | None = None,
    pool: CellPool | None = None,
    limits: Limits | None = None,
    seed: int | None = 0,
    on_event: OnEvent | None = None,
) -> EvaluationReport:
    """Evaluate programs on a benchmark: samples of a file, of a model, or of the solve loop.

    A call with the same arguments resumes: what has a verdict is neither paid for nor judged again.

    Args:
        benchmark: `core`, `humaneval`, a file or folder, or `hf:NAME`.
        samples: File of samples to judge: JSONL, JSON, gzip or parquet.
        model: Model that writes the samples, as `provider:model`; with `solve`, the model of all
            roles.
        solve: Write each program with a whole run of `solve`.
        n: Samples for each task and seed that a model writes.
        seeds: Seeds of models and runs; each gives `n` samples.
        replans: With `solve`, the programs that a run may write after its first one.
        language: Language of programs; None is the sample's or the task's, else Python.
        k: The k of pass@k and its relatives. A k above the number of samples gives no figure.
        limit: Number of tasks to take, from the first.
        filter: Glob over ids and tags; several are separated by commas.
        after: First day of publication to take.
        before: First day of publication that is too late.
        shard: `I/N`: the I-th of N parts, from 1.
        allow_missing: Evaluate the tasks that have samples if others of the selection have none;
            each metric then names both numbers.
        slack: Programs may run this many times their time limit: right but slow ones count in
            pass@k, and not in eff@k.
        all_cases: Run all cases of a program that fails one.
        efficiency: Time right programs again, and the references of each task, for ENAMEL's eff@k
            and Beyond.
        mutants: Largest number of mutants of each task's reference that measure its tests.
        max_cost_usd: Hard limit on model spending, in US dollars.
        max_tokens: Hard limit on tokens.
        engine: `local` or `ray`.
        cluster: For `ray`, `HOST:PORT` of the cluster's head; None is the environment variable
            `RAY_ADDRESS`, else this machine.
        jobs: Programs that each machine judges in parallel; None is one for each core.
        require: The weakest isolation that a machine may have.
        plots: Draw runtime curves, if plotnine is installed.
        out: The evaluation's folder; None is `evaluations/NAME`, with a name of its own for
            each set of arguments.
        pool: Where mutants run; None is the pool that the process shares. The engine has its own
            cells.
        limits: Limits of each case; those that are set replace all tasks' own.
        seed: Seed of the bootstrap.
        on_event: Called after each sample.

    Raises:
        UsageError: if the call is wrong.
        InfrastructureError: if the machine failed; the same call resumes.
    """
    options = EvaluateOptions.among(locals())
    return run_evaluation(benchmark, options, Path(out) if out is not None else None)


aevaluate = in_thread(evaluate, "aevaluate")


def run_evaluation(
    benchmark: str | Path, options: EvaluateOptions, out: Path | None
) -> EvaluationReport:
    """Run or resume an evaluation, and write its reports.

    Args:
        benchmark: As for `evaluate`.
        options: The options.
        out: The folder; None for one by the options.

    Raises:
        UsageError, InfrastructureError: as for `evaluate`.
    """
    started = time.monotonic()
    bench = open_benchmark(benchmark)
    faults = LeftOutRows()
    samples = read_samples(options.samples, faults.add) if options.samples is not None else None
    head = EvaluationHead(
        steelyard=__version__,
        benchmark=bench.name,
        origin=options.origin,
        source=samples.digest if samples else options.model or "settings",
        shard=str(options.selection().shard) if options.shard else "",
        settings=options.shaping(),
    )
    with EvaluationFolder(out or _own_folder(head), head) as folder:
        run = EvaluationRun(bench, samples, options, folder, faults)
        run.go()
        folder.end(
            EvaluatedRun(
                complete=run.complete,
                selected=run.choice.selected,
                notes=tuple(run.notes),
                faults=tuple(map(str, faults.rows)),
                fault_count=faults.count,
                seconds=time.monotonic() - started,
            )
        )
    return write_reports(count_report(folder.path, options.k), folder.path, plots=options.plots)


def _own_folder(head: EvaluationHead) -> Path:
    digest = sha256_of(canonical_json(head.model_dump(mode="json", exclude={"begun"})))[:10]
    name = re.sub(r"[^A-Za-z0-9._-]", "_", head.benchmark)[:60].lstrip(".")
    return Path("evaluations", f"{name}-{digest}")
