"""Combine counts, times, instructions and memory into the complexity classes of a program.

1. The class of time is that of the counted work.
2. If times grow faster, instructions show whether caches overflow or a library does work that is
   not counted. Where nothing is counted, instructions or times alone give the class.
3. Time is never below the memory that is touched (`not_below_memory`).
4. The class of memory is that of counted runs, whose figures are exact, weighed against the memory
   of timed runs, which are larger (`space_class`).
5. The report names a class only if the evidence is strong (`estimate_of`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from steelyard.profiling._records import CountedRun, Point
from steelyard.profiling._timing import TimedSize
from steelyard.profiling.fitting import (
    INSTRUCTION_DRIFT,
    SLOWER_DRIFT,
    TIME_DRIFT,
    Observation,
    WorkClass,
    agreeing_with_time,
    classify_space,
    classify_space_two,
    classify_time,
    classify_time_two,
    classify_two,
    classify_work,
    even_odds,
    growth_between,
    hidden_class,
    instruction_drift,
    less_sure,
    of_time_from,
    outgrows,
    time_drift,
    with_logarithm_open,
)
from steelyard.schemas import ComplexityEstimate, Flag, Term

DOUBTFUL = 0.9
"""Confidence below which other evidence is asked for. Measured: verdicts above it are right in 96
to 98 % of cases."""
SURE_FROM = 0.7
"""Probability below which no class is named. Measured: below it one verdict in three is right."""
FEWEST_SIZES = 6
BEYOND_CACHES = 0.8
"""Extra power of n that cache misses do not explain..."""
IN_CACHE_MIB = 1.0
"""...if memory grows by less than this; a pointer chase through more memory can reach 1."""
MEMORY_OF_A_POWER = ("O(n)", "O(n^2)", "O(n^3)", "O(2^n)")
"""Classes of memory that time is never below; between them containers that double wander."""
START_SHARE = 1.1
LEAST_SHARE = 0.005
"""Share of all work; terms below it are left out of the report."""
InstructionsAt = Callable[[Sequence[TimedSize]], Mapping[Point, int]]
"""Counts the instructions of whole runs at those of the sizes that the budget allows."""
LinesOf = Callable[[str], tuple[int, ...]]
"""Gives the source lines that do most of the work of a class, the heaviest first."""


@dataclass
class ClassFindings:
    """A class of time, with the flags and notes of the report."""

    work: WorkClass
    flags: list[Flag] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    instructions: Mapping[Point, int] = field(default_factory=dict)
    is_checked: bool = True
    """Whether times bear out the counted work, which may lack that of a library."""


def time_class(
    counted: Sequence[CountedRun],
    on_grid: Sequence[CountedRun],
    timed: Sequence[TimedSize],
    base_ms: float,
    instructions_at: InstructionsAt,
) -> ClassFindings:
    """Return the class of time in n, or in n and m if there is a grid.

    The class is that of the counted work. If time grows faster, instructions show
    whether caches overflow or a library does work that is not counted.

    Args:
        counted: Over the ladder of sizes.
        on_grid: Over the grid of n and m; empty for one parameter.
        timed: Over the ladder.
        base_ms: CPU time of the smallest run.
        instructions_at: Called only if time and work disagree.
    """
    ladder = classify_work(map(_observation, counted)) if counted else None
    work = classify_two(map(_observation, on_grid), ladder) if on_grid else ladder
    ns = [size.point.n for size in timed]
    times = [size.cpu_ms for size in timed]
    if work is None or not work.posterior:
        by_time = classify_time(ns, times)
        return ClassFindings(by_time, ["no-counts"] if by_time.sizes >= FEWEST_SIZES else [])
    found = ClassFindings(work)
    assert ladder is not None  # a grid is counted after the ladder
    drift = time_drift(ns, times, base_ms, ladder.complexity)
    if drift is not None and drift < SLOWER_DRIFT and ns[-1] > FEWEST_SIZES:
        found.flags.append("slower-than-work")
        found.notes.append("time grows slower than the counted work, which may be overstated")
        found.is_checked = False
        if work.confidence < DOUBTFUL and not on_grid:
            found.work = agreeing_with_time(work, ns, times)
    if ladder.complexity in ("O(2^n)", "O(n!)"):
        return found
    if drift is None:
        found.is_checked = False
        found.notes.append(
            "too few times rise above that of the start to check the counted work; the class is "
            "less sure"
        )
        return found
    if drift <= TIME_DRIFT:
        return found
    found.instructions = instructions_at(timed)
    sizes = list(found.instructions)
    executed = instruction_drift(
        [point.n for point in sizes], list(found.instructions.values()), ladder.complexity
    )
    faster = f"time grows about n^{drift:.1f} faster than the counted work"
    known = executed is not None or _hold_still(found.instructions)
    if executed is not None and executed > INSTRUCTION_DRIFT:
        found.flags.append("hidden-library-work")
        found.notes.append(
            f"{faster}, and so do instructions: a library does work that is not counted"
        )
        if not on_grid:
            found.work = hidden_class(ladder, executed, ns, times)
    elif drift > BEYOND_CACHES and grows_mib(timed) < IN_CACHE_MIB:
        found.flags.append("hidden-library-work")
        found.notes.append(
            f"{faster}, and instructions do not: other processes, or the operating system, do work "
            "that is not counted"
            if known
            else f"{faster}, more than caches explain: a built-in such as a regular expression, a "
            "library, or another process does work that is not counted"
        )
        if not on_grid:
            found.work = replace(hidden_class(ladder, drift, ns, times), basis="time")
    else:
        found.flags.append("memory-bound")
        if known:
            found.notes.append(f"{faster}; instructions do not: larger inputs overflow the caches")
            return found
        found.notes.append(
            f"{faster}; instructions are not known: larger inputs may overflow the caches, or a "
            "library does work that is not counted; the class is less sure"
        )
        if not on_grid:
            doubt = min(1.0, (drift - TIME_DRIFT) / (BEYOND_CACHES - TIME_DRIFT)) / 2
            found.work = even_odds(work, hidden_class(ladder, drift, ns, times), doubt)
    return found


def not_below_memory(
    found: ClassFindings, touched: WorkClass, timed: Sequence[TimedSize]
) -> ClassFindings:
    """Return the class of time, raised to that of the memory that is touched.

    Args:
        found: The class of time in n.
        touched: The class of resident memory.
        timed: Over the ladder.
    """
    sure = touched.complexity in MEMORY_OF_A_POWER and touched.confidence >= SURE_FROM
    if not (sure and found.work.posterior and outgrows(touched.complexity, found.work.complexity)):
        return found
    ns, times = [size.point.n for size in timed], [size.cpu_ms for size in timed]
    # Memory is most often touched a fixed number of times.
    as_often = WorkClass(touched.complexity, ((touched.complexity, 1.0),), basis=touched.basis)
    raised = even_odds(as_often, of_time_from(touched.complexity, ns, times))
    note = (
        f"the memory that is touched grows as {touched.complexity}, faster than the counted work: "
        "a library does work that is not counted"
    )
    return replace(
        found,
        work=replace(less_sure(raised, touched.confidence), sizes=found.work.sizes),
        flags=[*(flag for flag in found.flags if flag != "memory-bound"), "hidden-library-work"],
        notes=[*found.notes, note],
        is_checked=True,
    )


def _hold_still(instructions: Mapping[Point, int]) -> bool:
    """Return whether large inputs take no more instructions than the start of the process."""
    counts = instructions.values()
    return len(counts) > 1 and max(counts) <= START_SHARE * min(counts)


def grows_mib(timed: Sequence[TimedSize]) -> float:
    """Return by how much the memory that limits count grows, in MiB."""
    memory = [size.charged_mib for size in timed]
    return max(memory, default=0.0) - min(memory, default=0.0)


def class_of_instructions(executed: Mapping[Point, int]) -> ClassFindings | None:
    """Return the class of executed instructions, for languages whose blocks are not counted.

    Args:
        executed: By whole runs, among them one of the smallest size, which is nearly all start.

    Returns:
        None if the sizes are too few.
    """
    if len(executed) < FEWEST_SIZES:
        return None
    start = min(executed.values())
    work = classify_work(
        Observation(point, 0, {"all": count - start}) for point, count in executed.items()
    )
    notes = ["the class rests on executed instructions: blocks are not counted"]
    larger = {point: count - start for point, count in executed.items() if count > start}
    ns, totals = [point.n for point in larger], list(larger.values())
    open_class = with_logarithm_open(work, ns, totals)
    if open_class is not work:
        notes.append(
            f"{open_class.complexity} and {open_class.runner_up} cannot be separated in the sum of "
            "all instructions: its part with a logarithm, if there is one, is small"
        )
    return ClassFindings(replace(open_class, basis="instructions"), ["no-counts"], notes, executed)


def time_class_of_grid(timed: Sequence[TimedSize], ladder: Sequence[TimedSize]) -> ClassFindings:
    """Return the class of time in n and m if nothing is counted."""
    along = classify_time([size.point.n for size in ladder], [size.cpu_ms for size in ladder])
    work = classify_time_two([size.point for size in timed], [size.cpu_ms for size in timed], along)
    return ClassFindings(work, ["no-counts"])


def estimate_of(
    work: WorkClass, lines_of: LinesOf = lambda _: (), *, has_notes: bool = False
) -> ComplexityEstimate:
    """Return the reported estimate of a class: `unsure` if the evidence is weak.

    Args:
        work: The class.
        lines_of: Gives the heaviest source lines of a class.
        has_notes: Notes of the report say why there are too few sizes.
    """
    candidates = tuple((name, round(p, 4)) for name, p in work.posterior[:3])
    reason, name = "", work.complexity
    if work.sizes < FEWEST_SIZES:
        several = {0: "no size", 1: "1 size"}.get(work.sizes, f"{work.sizes} sizes")
        reason = f"{several} could be measured, and {FEWEST_SIZES} are needed"
        advice = "see the notes" if has_notes else "widen the range of n"
        reason += f"; {advice}"
    elif work.confidence < SURE_FROM:
        reason = f"the most likely class has a probability of {work.confidence:.0%}"
    if reason:
        name = "unsure"
    return ComplexityEstimate(
        complexity=name,
        confidence=round(work.posterior[0][1] if work.posterior else 0.0, 4),
        candidates=candidates,
        runner_up=work.runner_up,
        terms=tuple(
            Term(
                complexity=term.complexity,
                share=round(term.share, 4),
                lines=lines_of(term.complexity),
            )
            for term in work.terms
            if term.share >= LEAST_SHARE
        ),
        basis=work.basis,
        reason=reason,
    )


def _observation(run: CountedRun) -> Observation:
    return Observation(run.point, run.input_bytes, run.work or {})


_FAR_BEYOND = 4
"""Timed sizes that reach this multiple of the counted ones are evidence of their own..."""
_PLAIN_GROWTH_MIB = 2.0
"""...where the resident set grows by as much, which no start, buffer or allocator explains, or
where much more was to be expected."""
_LESS_THAN_EXPECTED, _SLACK_MIB = 4.0, 0.5
_BYTES = 1 << 20


def space_class(runs: Sequence[CountedRun], timed: Sequence[TimedSize], *, grid: bool) -> WorkClass:
    """Return the class of memory, from counted runs if there are enough, else from timed ones.

    Args:
        runs: Counted runs, whose heap and resident set are exact.
        timed: Timed runs.
        grid: Whether the runs vary n and m independently.
    """
    if len({run.point for run in runs}) >= FEWEST_SIZES:
        points = [run.point for run in runs]
        lengths = [run.input_bytes for run in runs]
        known = [run.heap_bytes for run in runs if run.heap_bytes is not None]
        heap = known if len(known) == len(runs) else None
        resident = [run.rss_bytes for run in runs]
    else:
        points = [size.point for size in timed]
        lengths = [size.input_bytes for size in timed]
        heap, resident = None, [_bytes_of(size) for size in timed]
    if grid:
        return classify_space_two(points, heap, resident)
    ns = [point.n for point in points]
    counted = classify_space(ns, heap, resident, lengths)
    return _space_beyond(counted, max(ns, default=0), heap or resident, timed)


def touched_class(space: WorkClass, timed: Sequence[TimedSize]) -> WorkClass | None:
    """Return the class of the memory that the program touches: that of its resident set.

    Args:
        space: The class of memory, which may be that of memory that is only reserved.
        timed: Timed runs.

    Returns:
        None if it grows too little to tell, or otherwise than `space`.
    """
    ns, resident = [size.point.n for size in timed], [_bytes_of(size) for size in timed]
    if not resident or max(resident) - min(resident) < _PLAIN_GROWTH_MIB * _BYTES:
        return None
    touched = classify_space(ns, None, resident)
    return touched if touched.complexity == space.complexity else None


def _space_beyond(
    counted: WorkClass, most_n: int, peaks: Sequence[int], timed: Sequence[TimedSize]
) -> WorkClass:
    """Weigh the class of counted runs against the memory of timed ones, which are larger.

    Memory that only larger sizes need is not seen in counted runs, and a start's memory can look
    like growth there.
    """
    ns = [size.point.n for size in timed]
    if not counted.posterior or not ns or ns[-1] <= most_n:
        return counted
    if counted.complexity == "O(1)":
        if grows_mib(timed) < IN_CACHE_MIB:
            return counted
        return classify_space(ns, None, [_bytes_of(size) for size in timed])
    if ns[-1] < _FAR_BEYOND * most_n:
        return counted
    resident_mib = [size.memory_mib for size in timed]
    grown_mib = max(resident_mib) - min(resident_mib)
    expected_mib = (max(peaks) - min(peaks)) / _BYTES
    expected_mib *= growth_between(counted.complexity, most_n, ns[-1])
    refuted = expected_mib > _LESS_THAN_EXPECTED * grown_mib + _SLACK_MIB
    if grown_mib < _PLAIN_GROWTH_MIB and not refuted:
        return counted
    lengths = [size.input_bytes for size in timed]
    other = classify_space(ns, None, [_bytes_of(size) for size in timed], lengths)
    return even_odds(counted, other)


def _bytes_of(size: TimedSize) -> int:
    return round(size.memory_mib * _BYTES)
