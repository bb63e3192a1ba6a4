"""Run one profile step by step: count, time, classify, predict."""

import time
from collections.abc import Mapping, Sequence
from typing import TypedDict

from steelyard.profiling._counts import Counted, Counts, LineCounts, lines_with_words
from steelyard.profiling._instructions import CountedInstructions, find_valgrind
from steelyard.profiling._plan import Plan, Wanted
from steelyard.profiling._prediction import predict
from steelyard.profiling._records import CountedRun, Point
from steelyard.profiling._subject import Subject
from steelyard.profiling._timing import TimedSize, Timing, measure_times
from steelyard.profiling._weighed_evidence import (
    DOUBTFUL,
    FEWEST_SIZES,
    SURE_FROM,
    ClassFindings,
    class_of_instructions,
    estimate_of,
    not_below_memory,
    space_class,
    time_class,
    time_class_of_grid,
    touched_class,
)
from steelyard.profiling.counting import CountingUnavailable
from steelyard.profiling.fitting import UNCHECKED, less_sure
from steelyard.profiling.inputs import GeneratorSource
from steelyard.sandbox import Command
from steelyard.schemas import (
    Event,
    Flag,
    Measurement,
    Method,
    OnEvent,
    Prediction,
    ProfileReport,
    StopReason,
    Term,
)

_TIMING_SHARE = 0.5
"""The rest of the budget is for the largest input."""
_UNDER_VALGRIND_MS = 4_000.0
"""CPU time of all runs under valgrind. They settle a class, so the budget does not bound them."""
_SEEDS, _MOST_SEEDS = 3, 5
"""Number of seeds then, and the number if no class is named with those."""
_READ_BYTES, _READ_GROWS = 200, 4
"""Inputs that grow to more than this take measurable work to read."""
_GRID_MS = 150.0
"""Approximate CPU time of the largest point of a grid whose work is not counted."""


class ProfileRun:
    """Measure one program, step by step; `report` does all of them.

    Args:
        subject: The program, compiled: `Subject.compiled`.
        plan: The inputs and their sizes: `Plan.of`.
        wanted: What the largest input may take.
        budget_s: Rough bound on the time of all runs together, in seconds.
        emit: Receives each step of progress.
        notes: What a reader should know of the program itself.
    """

    def __init__(
        self,
        subject: Subject,
        plan: Plan,
        wanted: Wanted,
        budget_s: float,
        emit: OnEvent,
        notes: Sequence[str],
    ) -> None:
        self._subject, self._plan, self._wanted = subject, plan, wanted
        self._budget_ms = budget_s * 1000
        self._limits = wanted.for_timed_runs(self._budget_ms)
        self._emit = emit
        self._flags: list[Flag] = []
        self._notes = list(notes)
        self._share = 0.0
        self._executed = CountedInstructions(
            self._command_at,
            subject.pool,
            _UNDER_VALGRIND_MS,
            lambda point: self._notify(f"counting instructions at {point}", 0.8),
        )

    def report(self) -> ProfileReport:
        """Measure, classify and predict.

        Raises:
            GeneratorError: if not even the smallest input is available.
            InfrastructureError: if the machine failed.
        """
        begun = time.monotonic()
        counts = self._counts()
        counted = counts.ladder if counts else Counted()
        self._limits = self._wanted.for_timed_runs(self._budget_ms, counted.most_cpu_ms)
        timing = self._time(self._plan.sizes, counted)
        grid_counts, grid_times = self._over_grid(counts, timing)
        found = self._classify(counts, grid_counts, timing, grid_times)
        self._notify("predicting", 0.9)
        space = space_class(
            grid_counts or counted.runs,
            grid_times if self._plan.parameter else timing.usable,
            grid=self._plan.parameter is not None,
        )
        touched = touched_class(space, timing.usable)
        if touched is not None and self._plan.parameter is None:
            found = not_below_memory(found, touched, timing.usable)
        self._note_ends(counted, timing)
        has_notes = bool(timing.notes)
        prediction, largest = predict(
            self._subject,
            self._plan,
            self._wanted,
            timing,
            grid_times,
            found.work,
            space,
            budget_ms=self._budget_ms,
        )
        failed = largest is not None and not largest.ok
        if largest is not None and failed and all(s.point != largest.point for s in timing.sizes):
            self._notes.append(f"at {largest.point} the program {largest.fault}")
        if not failed or False in (prediction.meets_time_limit, prediction.meets_memory_limit):
            self._note_unknown(prediction)
        self._note_unread(timing.usable, found)
        counter = counts.counter if counts and found.work.terms else None
        known = lines_with_words(counter.lines, self._subject.source) if counter else {}
        lines = LineCounts(grid_counts or counted.runs, found.work.terms, known)
        self._notify("done", 1.0)
        measured = measurements(
            (*counted.runs, *grid_counts),
            (*timing.sizes, *grid_times, *([largest] if largest else ())),
            found.instructions,
        )
        by_timing = timing.cut_short and found.work.basis == "time"
        work = less_sure(found.work) if counted.cut_short or by_timing else found.work
        work = work if found.is_checked else less_sure(work, UNCHECKED)
        by_timing = timing.cut_short and len(counted.runs) < FEWEST_SIZES
        space = less_sure(space) if counted.cut_short or by_timing else space
        estimate = estimate_of(work, lines.heaviest, has_notes=has_notes)
        return ProfileReport(
            **telemetry(measured, estimate.terms),
            time=estimate,
            space=estimate_of(space, has_notes=has_notes),
            prediction=prediction,
            measurements=measured,
            work_by_line=lines.shares(),
            flags=tuple(dict.fromkeys((*self._flags, *found.flags))),
            notes=tuple(dict.fromkeys((*self._notes, *found.notes))),
            method=self._method(counts, found),
            parameters=("n", self._plan.parameter.name) if self._plan.parameter else ("n",),
            time_limit_ms=self._wanted.time_ms,
            memory_limit_mib=self._wanted.memory_mib,
            base_cpu_ms=timing.base_cpu_ms,
            base_memory_mib=timing.base_memory_mib,
            seconds=time.monotonic() - begun,
            isolation=self._subject.pool.isolation,
        )

    def _command_at(self, point: Point) -> Command:
        return self._subject.command(self._plan.source.get(point, self._plan.seed), self._limits)

    def _notify(self, what: str, share: float) -> None:
        self._share = max(self._share, share)  # counting may come again after timing
        self._emit(Event(job="profile", stage=what, share=self._share))

    def _counts(self) -> Counts | None:
        """Return the work over the sizes; None if it cannot be counted."""

        def progress(run: CountedRun) -> None:
            self._notify(f"counting work at {run.point}", 0.2)

        self._notify("compiling with counters", 0.05)
        counter = self._subject.counter()
        if isinstance(counter, CountingUnavailable):
            self._notes.append(counter.reason)
            return None
        counts = Counts(
            counter,
            self._plan,
            self._wanted.for_counted_runs(),
            self._subject.fault,
            progress,
        )
        differs_at = counts.unrepeated()
        if differs_at is not None:
            self._flags.append("counts-differ")
            self._notes.append(
                f"the same input gave different counts at {differs_at}: the program depends on "
                "more than its input"
            )
        return counts

    def _time(self, points: Sequence[Point], counted: Counted | None = None) -> Timing:
        """Time the sizes; those that were counted are timed whatever the budget."""

        def progress(size: TimedSize) -> None:
            self._notify(f"timing at {size.point}", 0.5)

        runs = counted.runs if counted else ()
        return measure_times(
            points,
            self._plan.source,
            self._subject.command,
            self._subject.pool,
            self._limits,
            seed=self._plan.seed,
            at_least=runs[-1].point if runs else None,
            budget_ms=_TIMING_SHARE * self._budget_ms,
            fault_of=self._subject.fault,
            progress=progress,
        )

    def _over_grid(
        self, counts: Counts | None, timing: Timing
    ) -> tuple[tuple[CountedRun, ...], tuple[TimedSize, ...]]:
        """Return counts and times over points that vary n and m independently, if there is an m."""
        if self._plan.parameter is None or not timing.usable:
            return (), ()
        if counts is not None and not counts.ladder.with_work:
            counts = None
        affordable = [size.point.n for size in timing.usable if size.cpu_ms <= _GRID_MS]
        by_time = max(affordable, default=timing.usable[0].point.n)
        points = self._plan.grid_up_to(counts.most_of_grid if counts else by_time)
        if isinstance(self._plan.source, GeneratorSource):
            self._plan.source.plan(points)
        times = self._time(points).usable
        return counts.on_grid(points) if counts else (), times

    def _classify(
        self,
        counts: Counts | None,
        grid_counts: Sequence[CountedRun],
        timing: Timing,
        grid_times: Sequence[TimedSize],
    ) -> ClassFindings:
        if self._plan.parameter is not None and not grid_counts:
            return time_class_of_grid(grid_times, timing.usable)
        if counts is None or not counts.ladder.with_work:
            return self._class_without_counts(timing)
        if grid_counts:
            return self._class_of(counts.ladder.with_work, grid_counts, timing)
        return self._class_of_ladder(counts, timing)

    def _class_without_counts(self, timing: Timing) -> ClassFindings:
        if self._subject.toolchain.row.counts == "instructions":
            found = class_of_instructions(self._executed.for_class(timing.usable))
            if found is not None:
                return found
        return self._class_of((), (), timing)

    def _class_of_ladder(self, counts: Counts, timing: Timing) -> ClassFindings:
        """Return the class in n.

        Where chance moves the counts, or the class is in doubt, inputs of other seeds settle it.
        """
        seeds = _SEEDS if counts.moved_by_chance() else 1
        found = self._class_of(counts.of_seeds(seeds), (), timing)
        for more, least in ((_SEEDS, DOUBTFUL), (_MOST_SEEDS, SURE_FROM)):
            confidence = found.work.confidence
            settled = confidence >= least or found.work.basis != "work"
            if settled or more <= seeds or not counts.has_more_seeds:
                continue
            again = self._class_of(counts.of_seeds(more), (), timing, found)
            if again.work.confidence >= min(confidence, SURE_FROM):
                found = again
        return found

    def _class_of(
        self,
        counted: Sequence[CountedRun],
        on_grid: Sequence[CountedRun],
        timing: Timing,
        before: ClassFindings | None = None,
    ) -> ClassFindings:
        def instructions_at(timed: Sequence[TimedSize]) -> Mapping[Point, int]:
            known = before.instructions if before else {}
            return known or self._executed.for_drift(timed)

        return time_class(counted, on_grid, timing.usable, timing.base_cpu_ms, instructions_at)

    def _note_ends(self, counted: Counted, timing: Timing) -> None:
        self._notes += (*timing.notes, *counted.notes, *self._executed.notes)
        failed = {size.point for size in timing.sizes if size.fault}
        self._notes += (
            f"at {point} the program with counters {fault}"
            for point, fault in counted.faults.items()
            if point not in failed
        )
        if isinstance(self._plan.source, GeneratorSource):
            self._notes += self._plan.source.notes
        if counted.threads:
            self._flags.append("threads")
            self._notes.append("the program starts threads: its counts may differ between runs")
        stops = {size.stop for size in timing.sizes}
        if any(stop.out_of_time for stop in stops):
            self._flags.append("limited-by-time-out")
        if StopReason.MEMORY_LIMIT in stops:
            self._flags.append("limited-by-memory")
        if len(timing.usable) < FEWEST_SIZES:
            self._flags.append("too-few-sizes")
        if counted.cut_short or timing.cut_short:
            self._flags.append("cut-short")
        if counted.cut_short:
            self._notes.append(
                f"counting ended at {counted.runs[-1].point}: a larger size takes too much CPU "
                "time, most of it for work that is not counted; the classes are less sure"
            )
        if timing.cut_short:
            self._notes.append(
                f"timing ended at {timing.sizes[-1].point}, where the budget was spent; raise the "
                "budget for a better prediction"
            )

    def _note_unknown(self, prediction: Prediction) -> None:
        """Note limits for which it is unknown if they are met."""
        outcomes = (
            ("time", self._wanted.time_ms, prediction.meets_time_limit),
            ("memory", self._wanted.memory_mib, prediction.meets_memory_limit),
        )
        self._notes += (
            f"it is unknown if the {name} limit is met at {self._plan.largest}: no run of that "
            "size finished; raise the budget, or lower the largest n"
            for name, limit, meets in outcomes
            if limit is not None and meets is None
        )

    def _note_unread(self, timed: Sequence[TimedSize], found: ClassFindings) -> None:
        if found.work.complexity != "O(1)" or not timed:
            return
        lengths = [size.input_bytes for size in timed]
        if max(lengths) > max(_READ_BYTES, _READ_GROWS * min(lengths)):
            self._notes.append(
                "the inputs grow but the work does not; check that the program reads its input"
            )

    def _method(self, counts: Counts | None, found: ClassFindings) -> Method:
        toolchain, isolation = self._subject.toolchain, self._subject.pool.isolation
        valgrind = find_valgrind()
        heap = counts and any(run.heap_bytes is not None for run in counts.ladder.runs)
        return Method(
            work=counts.counter.method if counts else "",
            timing="user and system time in a pinned cell, in rounds over the sizes; minimum of "
            "3 to 5 runs",
            memory=("peak of live heap memory (allocation hook), and " if heap else "")
            + "peak resident set at fixed addresses",
            instructions=valgrind.version if valgrind and found.instructions else "",
            inputs=self._plan.source.description,
            seeds=counts.seeds if counts else (self._plan.seed,),
            isolation=str(isolation),
            compiler=toolchain.version,
        )


class Telemetry(TypedDict):
    """The report's plain lists, for simple consumers."""

    input_sizes: tuple[int, ...]
    runtime_ms: tuple[float, ...]
    peak_memory_mb: tuple[float, ...]
    hotspots: tuple[str, ...]


def telemetry(measured: Sequence[Measurement], terms: Sequence[Term]) -> Telemetry:
    """Return what was timed, by size, and which lines do the work."""
    timed = [size for size in measured if size.cpu_ms is not None]
    return {
        "input_sizes": tuple(size.n for size in timed),
        "runtime_ms": tuple(size.cpu_ms or 0.0 for size in timed),
        "peak_memory_mb": tuple(size.memory_mib or 0.0 for size in timed),
        "hotspots": tuple(_hotspot(term) for term in terms if term.lines),
    }


def _hotspot(term: Term) -> str:
    lines = ", ".join(str(line) for line in term.lines)
    several = "s" if len(term.lines) > 1 else ""
    return f"line{several} {lines}: {term.share:.0%} of the work, {term.complexity}"


def measurements(
    counted: Sequence[CountedRun],
    timed: Sequence[TimedSize],
    instructions: Mapping[Point, int],
) -> tuple[Measurement, ...]:
    """Return one record for each size that was counted or timed, ascending."""
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
