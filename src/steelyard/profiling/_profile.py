"""`profile(...)`: one program over growing inputs, to a class and a prediction."""

import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from steelyard.judging import as_entry
from steelyard.profiling._plan import Plan, Wanted
from steelyard.profiling._profiler import BUDGET_S, OnProgress, Profiler
from steelyard.profiling._records import InputSource
from steelyard.profiling._subject import Subject
from steelyard.profiling.inputs import Parameter
from steelyard.sandbox import CellPool
from steelyard.schemas import Entry, ProfileReport
from steelyard.toolchains import find_toolchain, read_source


def profile(
    source: str | bytes | Path,
    *,
    inputs: InputSource | str | Path,
    max_n: int | None = None,
    min_n: int | None = None,
    parameter: Parameter | str | None = None,
    language: str | None = None,
    compiler: str | None = None,
    flags: Sequence[str] | None = None,
    entry: Entry | str = "stdio",
    preload: Sequence[str] = (),
    time_limit_ms: float | None = None,
    memory_limit_mib: float | None = None,
    run_limit_ms: float | None = None,
    budget_s: float = BUDGET_S,
    seed: int = 1,
    pool: CellPool | None = None,
    on_progress: OnProgress | None = None,
) -> ProfileReport:
    """Measures how a program grows, and predicts what it will need at the largest input.

    Args:
        source: The program's text, or the path of a file with it.
        inputs: A generator module (`generate(n, seed[, m])`), or a folder of inputs with their
            sizes, by path; or a source of inputs of your own.
        max_n: The largest n. A generator may name it (`N_MAX`); a folder's largest where None.
        min_n: The smallest n; 1, or what the generator says, where it is None.
        parameter: A second size, such as `m=16:2000000:4*n`; the generator's own where it names
            one and this is None.
        language: A name from the language table. A file's ending tells it; else it is Python.
        compiler: One of the language's compilers.
        flags: For the compiler, in place of the table's.
        entry: `stdio`, or for Python `function:NAME` or `class:NAME.METHOD`.
        preload: For Python, modules to have loaded beforehand, such as `numpy`.
        time_limit_ms: CPU time that the largest input may take.
        memory_limit_mib: Memory that it may take.
        run_limit_ms: Where one measured run is ended, by CPU and wall time; what the budget allows
            where it is None. It bounds what a hopeless program costs, and how large inputs get.
        budget_s: About how long all runs together may take, in seconds.
        seed: Of the inputs.
        pool: Where programs run; a pool of one cell is made where it is None.
        on_progress: Told what is being done.

    Raises:
        UsageError: where the call is wrong: no program, no inputs, no sizes.
        InfrastructureError: where the machine failed.
    """
    begun = time.monotonic()
    with ExitStack() as stack:
        profiler = prepare(
            source, inputs=inputs, max_n=max_n, min_n=min_n, parameter=parameter,
            language=language, compiler=compiler, flags=flags, entry=entry, preload=preload,
            time_limit_ms=time_limit_ms, memory_limit_mib=memory_limit_mib,
            run_limit_ms=run_limit_ms, budget_s=budget_s, seed=seed,
            pool=pool or stack.enter_context(CellPool(1)), on_progress=on_progress,
        )  # fmt: skip
        report = profiler.report()
    return report.model_copy(update={"seconds": time.monotonic() - begun})


def prepare(
    source: str | bytes | Path,
    *,
    inputs: InputSource | str | Path,
    pool: CellPool,
    max_n: int | None = None,
    min_n: int | None = None,
    parameter: Parameter | str | None = None,
    language: str | None = None,
    compiler: str | None = None,
    flags: Sequence[str] | None = None,
    entry: Entry | str = "stdio",
    preload: Sequence[str] = (),
    time_limit_ms: float | None = None,
    memory_limit_mib: float | None = None,
    run_limit_ms: float | None = None,
    budget_s: float = BUDGET_S,
    seed: int = 1,
    on_progress: OnProgress | None = None,
) -> Profiler:
    """All of `profile` that can find the call wrong: compiles, and asks for the first inputs.

    Args and Raises: as for `profile`.
    """
    wanted = Wanted(time_limit_ms, memory_limit_mib, run_limit_ms)
    text, language = read_source(source, language)
    toolchain = find_toolchain(language, compiler=compiler, flags=flags, preload=preload)
    name = source.name if isinstance(source, Path) else "the program"
    subject = Subject.compiled(toolchain, text, as_entry(entry), pool, name=name)
    plan = Plan.of(inputs, subject, max_n=max_n, min_n=min_n, parameter=parameter, seed=seed)
    return Profiler(subject, plan, wanted, budget_s, on_progress)
