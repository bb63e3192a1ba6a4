"""`measure_strength(...)`: a certificate of what a suite kills."""

import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from steelyard.authoring.strength._bench import Bench
from steelyard.authoring.strength._certificate import (
    MutationFindings,
    agreements,
    by_category,
    killed_of,
    order_and_twins,
    planted_survivors,
)
from steelyard.authoring.strength._matrix import KillMatrix, Row
from steelyard.authoring.strength._mutants import mutate
from steelyard.authoring.strength._options import MUTANTS, StrengthOptions
from steelyard.authoring.strength._work import work_of
from steelyard.judging import (
    MatchMode,
    TestSource,
    as_entry,
    entry_checker,
    load_tests,
    read_program,
)
from steelyard.options import in_thread
from steelyard.sandbox import CellPool
from steelyard.schemas import (
    Entry,
    Event,
    Independence,
    Limits,
    OnEvent,
    StrengthReport,
    TestSuite,
    Verdict,
)
from steelyard.toolchains import Toolchain, find_toolchain

__all__ = ["ameasure_strength", "measure_strength"]

_USUAL_CPU_MS = 2_000
_MOST_COUNTED = 100

Program = str | bytes | Path


def measure_strength(
    suite: TestSource,
    solution: Program,
    *,
    wrong: Sequence[Program] = (),
    slow: Sequence[Program] = (),
    references: Sequence[Program] = (),
    mutants: int = MUTANTS,
    entry: Entry | str | None = None,
    match_mode: MatchMode = "exact",
    abs_tol: float | None = None,
    rel_tol: float | None = None,
    sequences_alike: bool = False,
    preload: Sequence[str] = (),
    pool: CellPool | None = None,
    limits: Limits | None = None,
    seed: int | None = 0,
    on_event: OnEvent | None = None,
) -> StrengthReport:
    """Measure how strong a suite is: which programs it kills that are not right, or not fast.

    Args:
        suite: The cases, as for `judge`.
        solution: A right program, which passes every case. A `Path` is a file; `str` and `bytes`
            are the program's text.
        wrong: Planted wrong programs.
        slow: Planted slow programs, whose answers are right.
        references: Other solutions, written without sight of the solution.
        mutants: Largest number of mutants of the solution.
        entry: How programs are entered; None is `class:Solution.solve`, or `stdio` for a folder.
        match_mode: `exact`, or for numbers and lists as for `judge`.
        abs_tol: For modes that compare numbers, the largest absolute difference.
        rel_tol: For these, the largest difference relative to the expected number.
        sequences_alike: For calls, a list equals a tuple with the same items.
        preload: For Python, modules to load beforehand, such as `numpy`.
        pool: Where programs run; None is the pool that the process shares.
        limits: Limits of each case; 2 seconds of CPU time if it is not set.
        seed: Seed of hashing and `random` in Python programs; None picks one per run.
        on_event: Called with each step of progress.

    Raises:
        TestsError: if the suite has no cases, or cannot be read.
        UsageError: if the solution does not pass the suite, or a program does not compile.
        InfrastructureError: if the machine failed.
    """
    options = StrengthOptions.of(
        wrong=wrong, slow=slow, references=references, mutants=mutants, entry=entry,
        match_mode=match_mode, abs_tol=abs_tol, rel_tol=rel_tol, sequences_alike=sequences_alike,
        preload=preload, pool=pool, limits=limits, seed=seed, on_event=on_event,
    )  # fmt: skip
    return _Measurement(suite, solution, options).report()


ameasure_strength = in_thread(measure_strength, "ameasure_strength")


class _Measurement:
    """One measurement, step by step; `report` does all of them."""

    def __init__(self, suite: TestSource, solution: Program, options: StrengthOptions) -> None:
        self._begun = time.monotonic()
        self._options = options
        self._entry = _entry_of(options.entry, suite)
        self._suite = load_tests(suite, entry=self._entry)
        source, toolchain = self._read(solution)
        self._step("running the solution", 0.0)
        self._bench = Bench(
            source, toolchain, self._suite, entry=self._entry,
            checker=entry_checker(
                self._entry, options.match_mode, options.abs_tol, options.rel_tol,
                sequences_alike=options.sequences_alike,
            ),
            pool=options.cells, limits=_limits_of(options.limits),
        )  # fmt: skip

    def report(self) -> StrengthReport:
        """Return the certificate."""
        options, cases = self._options, self._suite.cases
        mutation = self._mutation()
        wrong = self._planted("wrong program", options.wrong, 0.7)
        slow = self._planted("slow program", options.slow, 0.8)
        references = self._planted("reference", options.references, 0.9)
        mutants = mutation.matrix if mutation else None
        matrices = [each for each in (mutants, wrong, slow) if each]
        order, twins = order_and_twins(cases, matrices)
        self._step("done", 1.0)
        return StrengthReport(
            cases=len(cases),
            mutation=mutation.score() if mutation else None,
            killed_by_verdict=mutation.by_verdict() if mutation else {},
            wrong=killed_of(wrong),
            slow=killed_of(slow),
            independence=Independence(references=agreements(references)),
            by_category=by_category(cases, mutants, wrong, slow),
            survivors=(
                *planted_survivors(wrong, "wrong"),
                *planted_survivors(slow, "slow"),
                *(mutation.listed() if mutation else ()),
            ),
            order=order,
            twins=twins,
            notes=tuple(self._notes(mutation, slow)),
            seconds=time.monotonic() - self._begun,
            isolation=options.cells.isolation,
        )

    def _mutation(self) -> MutationFindings | None:
        bench, most = self._bench, self._options.mutants
        if bench.toolchain.harness is None or not most:
            return None
        self._step("making mutants", 0.1)
        mutants = mutate(bench.solution, most, bench.pool, bench.toolchain)
        matrix = bench.mutants(mutants.found, self._counter(len(mutants.found), "mutant", 0.1, 0.6))
        self._step("counting the work of surviving mutants", 0.6)
        findings = MutationFindings(mutants, matrix)
        return replace(findings, work=work_of(bench, findings.survivors[:_MOST_COUNTED]))

    def _planted(self, what: str, programs: Sequence[Program], begun: float) -> KillMatrix | None:
        if not programs:
            return None
        every: list[tuple[str, bytes, Toolchain]] = []
        for number, program in enumerate(programs, start=1):
            name = program.name if isinstance(program, Path) else f"{what} {number}"
            names = [each[0] for each in every]
            every.append((f"{name} ({number})" if name in names else name, *self._read(program)))
        return self._bench.programs(every, self._counter(len(every), what, begun, begun + 0.1))

    def _read(self, program: Program) -> tuple[bytes, Toolchain]:
        language = None if self._entry.kind == "stdio" else "python"
        language, taken = read_program(program, language, self._entry)
        options = self._options
        if language != "python":
            return taken.code, find_toolchain(language)
        return taken.code, find_toolchain(language, preload=options.preload, seed=options.seed)

    def _notes(self, mutation: MutationFindings | None, slow: KillMatrix | None) -> Iterator[str]:
        bench = self._bench
        if bench.toolchain.harness is None:
            yield f"mutants are made of Python programs, not of {bench.toolchain.row.title}"
        elif (
            self._entry.kind in ("function", "class") and len(self._suite) > 1 and not bench.shares
        ):
            yield "the solution keeps state between calls; each case of a mutant ran alone"
        if mutation is not None:
            if not mutation.mutants.found:
                yield "no mutation operator applies to the solution"
            if mutation.survivors and not mutation.searched:
                yield "the survivors were not searched for, so all of them count as never killed"
        for row in slow.killed if slow else ():
            if row.how is Verdict.WA:
                yield f"the slow program {row.name} gives wrong answers: {row.message}"

    def _counter(self, total: int, what: str, begun: float, end: float) -> Callable[[Row], None]:
        """Return the callback that reports each row."""
        count = itertools.count(1)

        def receive(row: Row) -> None:
            done = next(count)
            how = f"killed: {row.how}" if row.killed else "survives"
            share = begun + (end - begun) * done / total
            self._step(f"{what} {done:,} of {total:,}", share, f"{row.name} {how}")

        return receive

    def _step(self, stage: str, share: float, message: str = "") -> None:
        self._options.emit(Event(job="author", stage=stage, share=share, message=message))


def _entry_of(entry: Entry | str | None, suite: TestSource) -> Entry:
    """Return the entry that is named; else the usual one for these tests."""
    if entry is not None:
        return as_entry(entry)
    if isinstance(suite, TestSuite):
        is_stdio = suite.entry_kind == "stdio"
    else:
        is_stdio = isinstance(suite, str | Path) and Path(suite).is_dir()
    return as_entry("stdio" if is_stdio else "class:Solution.solve")


def _limits_of(limits: Limits | None) -> Limits:
    if limits is not None and "cpu_ms" in limits.model_fields_set:
        return limits
    return (limits or Limits()).replace(cpu_ms=_USUAL_CPU_MS)
