"""`profile(...)`: one program over growing inputs, to a class and a prediction."""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from assayer.errors import GeneratorError, UsageError
from assayer.judging import as_entry
from assayer.profiling._classes import (
    SURE_FROM,
    Findings,
    class_of_instructions,
    estimate_of,
    space_class,
    time_class,
    time_class_of_grid,
)
from assayer.profiling._instructions import count_instructions, find_valgrind
from assayer.profiling._limits import predict
from assayer.profiling._records import CountedRun, Counter, InputSource, Point
from assayer.profiling._subject import Subject
from assayer.profiling._timing import TimedSize, Timing, measure_times
from assayer.profiling._work import Counted, count_work
from assayer.profiling.counting import CountingUnavailable
from assayer.profiling.inputs import (
    FolderSource,
    GeneratorSource,
    Parameter,
    diagonal,
    grid,
    ladder,
)
from assayer.sandbox import CellPool
from assayer.schemas import (
    Entry,
    Flag,
    Limits,
    Measurement,
    Method,
    ProfileReport,
    StopReason,
)
from assayer.toolchains import find_toolchain, read_source

BUDGET_S = 8.0
_LEAST_RUN_MS, _RUN_SHARE = 5_000, 2.5
"""One run may take so many times the budget, and so long at the least."""
_LEAST_MEMORY_MIB = 1_024
_MOST_TIME_MS, _MOST_MEMORY_MIB = 3_600_000, 1 << 18
"""Limits that may be asked for."""
_COUNTING_SHARE, _TIMING_SHARE = 0.35, 0.5
_DOUBTFUL = 0.9
"""Confidence below which the work is counted on inputs of other seeds too. Measured: verdicts above
it are right in 96 to 98 % of cases."""
_MORE_SEEDS = 2
_CACHEGRIND_FACTOR = 20.0
_CACHEGRIND_MS = 1_500.0
_CACHEGRIND_SIZES = 3
_COUNTED_BY_INSTRUCTIONS, _CLASS_SIZES = ("rust", "go"), 8
"""Languages without block counters whose programs valgrind runs."""
_GRID_MS = 150.0
"""CPU time that the largest point of the grid shall take about."""

OnProgress = Callable[[str, float], None]
"""Told what is done now, and how far it is, from 0 to 1."""


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
            time_limit_ms=time_limit_ms, memory_limit_mib=memory_limit_mib, budget_s=budget_s,
            seed=seed, pool=pool or stack.enter_context(CellPool(1)), on_progress=on_progress,
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
    budget_s: float = BUDGET_S,
    seed: int = 1,
    on_progress: OnProgress | None = None,
) -> "Profiler":
    """All of `profile` that can find the call wrong: compiles, and asks for the first inputs.

    Args and Raises: as for `profile`.
    """
    wanted = Wanted(time_limit_ms, memory_limit_mib)
    text, language = read_source(source, language)
    toolchain = find_toolchain(language, compiler=compiler, flags=flags, preload=preload)
    name = source.name if isinstance(source, Path) else "the program"
    subject = Subject.compiled(toolchain, text, as_entry(entry), pool, name=name)
    plan = Plan.of(inputs, subject, max_n=max_n, min_n=min_n, parameter=parameter, seed=seed)
    return Profiler(subject, plan, wanted, budget_s, on_progress)


@dataclass(frozen=True)
class Wanted:
    """What the largest input may take; None: no limit."""

    time_ms: float | None = None
    memory_mib: float | None = None

    def __post_init__(self) -> None:
        for name, value, most, unit in (
            ("time", self.time_ms, _MOST_TIME_MS, "ms"),
            ("memory", self.memory_mib, _MOST_MEMORY_MIB, "MiB"),
        ):
            if value is not None and not 0 < value <= most:
                raise UsageError(
                    f"a {name} limit of {value:g} {unit} cannot be kept; "
                    f"give a number above 0 and up to {most:,}"
                )

    def for_runs(self, budget_ms: float) -> Limits:
        """Limits of the runs that measure: they let a program show that it needs too much."""
        memory = max(_LEAST_MEMORY_MIB, math.ceil(2 * (self.memory_mib or 0)))
        by_budget = min(max(_RUN_SHARE * budget_ms, _LEAST_RUN_MS), _MOST_TIME_MS)
        cpu_ms = math.ceil(max(by_budget, 2 * (self.time_ms or 0)))
        return Limits(cpu_ms=cpu_ms, wall_ms=3 * cpu_ms, memory_mib=memory)


@dataclass(frozen=True)
class Plan:
    """Which inputs a program is measured on."""

    source: InputSource
    sizes: tuple[Point, ...]
    """Ascending, m at its default."""
    parameter: Parameter | None
    seed: int
    points: tuple[Point, ...] = ()
    """All that a folder has; empty for a generator."""

    @classmethod
    def of(
        cls,
        inputs: InputSource | str | Path,
        subject: Subject,
        *,
        max_n: int | None,
        min_n: int | None,
        parameter: Parameter | str | None,
        seed: int,
    ) -> "Plan":
        """The plan for what a caller gave.

        Raises:
            UsageError: where it gives no sizes; GeneratorError where there are no inputs.
        """
        if isinstance(parameter, str):
            parameter = Parameter.parse(parameter)
        if isinstance(inputs, str | Path):
            path = Path(inputs)
            if path.is_dir():
                folder = FolderSource(path, calls=subject.is_called)
                return cls._of_folder(folder, max_n, min_n, seed)
            inputs = GeneratorSource.from_file(path, subject.pool, calls=subject.is_called)
        if isinstance(inputs, FolderSource):
            return cls._of_folder(inputs, max_n, min_n, seed)
        if isinstance(inputs, GeneratorSource):
            says = inputs.says
            max_n = says.n_max if max_n is None else max_n
            min_n = says.n_min if min_n is None else min_n
            if parameter is None and says.m_max is not None:
                parameter = Parameter("m", says.m_min or 1, says.m_max, says.m_default or "n")
        if max_n is None:
            raise UsageError("the largest n is not known; give it, or N_MAX in the generator")
        sizes = diagonal(ladder(1 if min_n is None else min_n, max_n), parameter)
        if isinstance(inputs, GeneratorSource):
            inputs.check(sizes, seed)
            inputs.plan(sizes)
        return cls(inputs, sizes, parameter, seed)

    @classmethod
    def _of_folder(
        cls, folder: FolderSource, max_n: int | None, min_n: int | None, seed: int
    ) -> "Plan":
        points = tuple(
            point
            for point in sorted(folder.points)
            if (min_n or 0) <= point.n <= (math.inf if max_n is None else max_n)
        )
        if not points:
            raise GeneratorError("no input of the folder is within the bounds of n; widen them")
        ms = {point.m for point in points if point.m}
        parameter = Parameter("m", min(ms), max(ms), "n") if len(ms) > 1 else None
        # For each n its largest m is the ladder; all of them are the grid.
        sizes = tuple({point.n: point for point in points}.values())
        return cls(folder, sizes, parameter, seed, points if parameter else ())

    @property
    def largest(self) -> Point:
        """The size that limits are for."""
        return self.sizes[-1]

    def grid_up_to(self, n: int) -> tuple[Point, ...]:
        """Points that vary n and m apart, with no n above this one."""
        if self.parameter is None:
            return ()
        if self.points:
            return tuple(point for point in self.points if point.n <= n)
        valid = self.source.valid if isinstance(self.source, GeneratorSource) else None
        return grid(self.sizes[0].n, n, self.parameter, valid)


class Profiler:
    """Measures one program, step by step; `report` is the whole of it."""

    def __init__(
        self,
        subject: Subject,
        plan: Plan,
        wanted: Wanted,
        budget_s: float = BUDGET_S,
        on_progress: OnProgress | None = None,
    ) -> None:
        if not 0 < budget_s < math.inf:
            raise UsageError(f"a budget of {budget_s} s is none; give seconds above 0")
        self._subject, self._plan, self._wanted = subject, plan, wanted
        self._budget_ms = budget_s * 1000
        self._limits = wanted.for_runs(self._budget_ms)
        self._on_progress = on_progress
        self._flags: list[Flag] = []
        self._notes: list[str] = []

    def report(self) -> ProfileReport:
        """Measures, classifies and predicts.

        Raises:
            GeneratorError: where not even the smallest input can be had.
            InfrastructureError: where the machine failed.
        """
        begun = time.monotonic()
        self._tell("compiling the counting form", 0.05)
        counter = self._subject.counter()
        if isinstance(counter, CountingUnavailable):
            self._notes.append(counter.reason)
            counted = Counted()
        else:
            counted = self._count(counter, self._plan.sizes, self._plan.seed)
            self._count_again(counter, counted)
        timing = self._time(self._plan.sizes)
        grid_counts, grid_times = self._over_grid(counter, counted, timing)
        found = self._classify(counted, grid_counts, timing, grid_times)
        if not isinstance(counter, CountingUnavailable):
            found = self._with_more_seeds(counter, found, counted, grid_counts, timing)
        self._tell("predicting", 0.9)
        runs = grid_counts or counted.runs
        space = space_class(
            runs, grid_times if self._plan.parameter else timing.usable,
            grid=self._plan.parameter is not None,
        )  # fmt: skip
        self._note_ends(counted, timing)
        why = "; ".join(timing.notes)
        prediction = predict(
            self._subject, self._plan.source, self._plan.largest, self._plan.seed, timing,
            grid_times, found.work, space, time_limit_ms=self._wanted.time_ms,
            memory_limit_mib=self._wanted.memory_mib,
        )  # fmt: skip
        lines: Mapping[str, int] = {}
        if found.work.terms and not isinstance(counter, CountingUnavailable):
            lines = counter.lines
        estimate = estimate_of(found.work, lines, why=why)
        self._tell("done", 1.0)
        return ProfileReport(
            time=estimate,
            space=estimate_of(space, {}, why=why),
            prediction=prediction,
            measurements=_measurements(
                (*counted.runs, *grid_counts), (*timing.sizes, *grid_times), found.instructions
            ),
            flags=tuple(dict.fromkeys((*self._flags, *found.flags))),
            notes=tuple(dict.fromkeys((*self._notes, *found.notes))),
            method=self._method(counter, found, counted),
            parameters=("n", self._plan.parameter.name) if self._plan.parameter else ("n",),
            time_limit_ms=self._wanted.time_ms,
            memory_limit_mib=self._wanted.memory_mib,
            base_cpu_ms=timing.base_cpu_ms,
            base_memory_mib=timing.base_memory_mib,
            seconds=time.monotonic() - begun,
        )

    def _tell(self, what: str, share: float) -> None:
        if self._on_progress is not None:
            self._on_progress(what, share)

    def _count(self, counter: Counter, points: Sequence[Point], seed: int) -> Counted:
        def progress(run: CountedRun) -> None:
            self._tell(f"counting work at {run.point}", 0.2)

        return count_work(
            points, self._plan.source, counter, self._limits,
            seed=seed, budget_ms=_COUNTING_SHARE * self._budget_ms,
            fault_of=self._subject.fault, progress=progress,
        )  # fmt: skip

    def _count_again(self, counter: Counter, counted: Counted) -> None:
        """Whether the same input gives the same counts."""
        runs = counted.with_work
        if not runs:
            return
        run = runs[len(runs) // 2]
        given = self._plan.source.get(run.point, self._plan.seed)
        if counter.run(given, self._limits).work != run.work:
            self._flags.append("counts-differ")
            self._notes.append(
                f"the same input gave other counts at {run.point}: the program depends on "
                "more than its input"
            )

    def _time(self, points: Sequence[Point]) -> Timing:
        def progress(size: TimedSize) -> None:
            self._tell(f"timing at {size.point}", 0.5)

        return measure_times(
            points, self._plan.source, self._subject.command, self._subject.pool, self._limits,
            seed=self._plan.seed, budget_ms=_TIMING_SHARE * self._budget_ms,
            fault_of=self._subject.fault, progress=progress,
        )  # fmt: skip

    def _over_grid(
        self, counter: Counter | CountingUnavailable, counted: Counted, timing: Timing
    ) -> tuple[tuple[CountedRun, ...], tuple[TimedSize, ...]]:
        """Counts and times over points that vary n and m apart; none with one parameter."""
        if self._plan.parameter is None or not timing.usable:
            return (), ()
        affordable = [size.point.n for size in timing.usable if size.cpu_ms <= _GRID_MS]
        points = self._plan.grid_up_to(max(affordable, default=timing.usable[0].point.n))
        if isinstance(self._plan.source, GeneratorSource):
            self._plan.source.plan(points)
        times = self._time(points).usable
        if isinstance(counter, CountingUnavailable) or not counted.with_work:
            return (), times
        return self._count(counter, points, self._plan.seed).with_work, times

    def _classify(
        self,
        counted: Counted,
        grid_counts: Sequence[CountedRun],
        timing: Timing,
        grid_times: Sequence[TimedSize],
    ) -> Findings:
        if self._plan.parameter is not None and not grid_counts:
            return time_class_of_grid(grid_times, timing.usable)
        if not counted.with_work and self._subject.toolchain.language in _COUNTED_BY_INSTRUCTIONS:
            executed = self._instructions_at(timing.usable, _CLASS_SIZES)
            by_instructions = class_of_instructions(executed)
            if by_instructions is not None:
                return by_instructions
        return time_class(
            counted.with_work,
            grid_counts,
            timing.usable,
            timing.base_cpu_ms,
            self._instructions_at,
        )

    def _with_more_seeds(
        self,
        counter: Counter,
        found: Findings,
        counted: Counted,
        grid_counts: Sequence[CountedRun],
        timing: Timing,
    ) -> Findings:
        """Where the class is in doubt, counts of other inputs of the same sizes may settle it."""
        known = counted.with_work
        if found.work.confidence >= _DOUBTFUL or grid_counts or len(known) < 3:
            return found
        if found.work.basis != "work" or not isinstance(self._plan.source, GeneratorSource):
            return found
        runs = list(known)
        for more in range(1, _MORE_SEEDS + 1):
            points = [run.point for run in known]
            runs += self._count(counter, points, self._plan.seed + more).with_work
        again = time_class(
            runs, (), timing.usable, timing.base_cpu_ms, lambda _: found.instructions
        )
        return again if again.work.confidence >= min(found.work.confidence, SURE_FROM) else found

    def _instructions_at(
        self, timed: Sequence[TimedSize], most: int = _CACHEGRIND_SIZES
    ) -> Mapping[Point, int]:
        """Instructions at the largest sizes that valgrind can afford, and at the smallest."""
        if find_valgrind() is None:
            self._notes.append("valgrind is not installed: instructions are not counted")
            return {}
        affordable = [
            size.point for size in timed if size.cpu_ms * _CACHEGRIND_FACTOR < _CACHEGRIND_MS
        ]
        chosen = dict.fromkeys((*affordable[:1], *affordable[-most:]))
        counts: dict[Point, int] = {}
        for point in chosen:
            self._tell(f"counting instructions at {point}", 0.8)
            given = self._plan.source.get(point, self._plan.seed)
            done = count_instructions(
                self._subject.command(given, self._limits), self._subject.pool
            )
            if done.instructions is not None:
                counts[point] = done.instructions
            elif done.note:
                self._notes.append(done.note)
        return counts

    def _note_ends(self, counted: Counted, timing: Timing) -> None:
        self._notes += (*timing.notes, *counted.notes)
        failed = {size.point for size in timing.sizes if size.fault}
        self._notes += (
            f"at {point} its counting form {fault}"
            for point, fault in counted.faults.items()
            if point not in failed
        )
        if isinstance(self._plan.source, GeneratorSource):
            self._notes += self._plan.source.notes
        if counted.threads:
            self._flags.append("threads")
            self._notes.append("the program starts threads: its counts may differ by run")
        stops = {size.stop for size in timing.sizes}
        if stops & {StopReason.CPU_LIMIT, StopReason.WALL_LIMIT}:
            self._flags.append("limited-by-time-out")
        if StopReason.MEMORY_LIMIT in stops:
            self._flags.append("limited-by-memory")
        if len(timing.usable) < 6:
            self._flags.append("too-few-sizes")

    def _method(
        self, counter: Counter | CountingUnavailable, found: Findings, counted: Counted
    ) -> Method:
        toolchain, isolation = self._subject.toolchain, self._subject.pool.isolation
        valgrind = find_valgrind()
        heap = any(run.heap_bytes is not None for run in counted.runs)
        return Method(
            work="" if isinstance(counter, CountingUnavailable) else counter.method,
            timing="user and system time in a pinned cell, in rounds over the sizes; least of 3 "
            "to 5 runs",
            memory=("peak of live heap memory (allocation hook), and " if heap else "")
            + "peak resident set at fixed addresses",
            instructions=valgrind.version if valgrind and found.instructions else "",
            inputs=self._plan.source.description,
            seeds=(self._plan.seed,),
            isolation=f"{isolation.backend}, {isolation.level}, CPU by {isolation.cpu_counter}",
            compiler=toolchain.version,
        )


def _measurements(
    counted: Sequence[CountedRun],
    timed: Sequence[TimedSize],
    instructions: Mapping[Point, int],
) -> tuple[Measurement, ...]:
    counts = {run.point: run for run in counted}
    times = {size.point: size for size in timed}
    return tuple(
        _measurement(point, counts.get(point), times.get(point), instructions.get(point))
        for point in sorted({*counts, *times})
    )


def _measurement(
    point: Point, run: CountedRun | None, size: TimedSize | None, executed: int | None
) -> Measurement:
    given = run or size
    assert given is not None
    ok = size is not None and size.ok
    return Measurement(
        n=point.n,
        m=point.m or None,
        input_bytes=given.input_bytes,
        work=sum(run.work.values()) if run and run.work is not None else None,
        cpu_ms=size.cpu_ms if size and ok else None,
        cpu_ms_max=size.cpu_ms_max if size and ok else None,
        wall_ms=size.wall_ms if size and ok else None,
        memory_mib=size.charged_mib if size and ok else None,
        heap_bytes=run.heap_bytes if run else None,
        resident_bytes=run.rss_bytes if run else None,
        instructions=executed,
        repetitions=size.repetitions if size else 0,
        stop=size.stop if size else StopReason.EXITED,
    )
