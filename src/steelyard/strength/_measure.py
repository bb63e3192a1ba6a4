"""`measure_strength(...)`: a certificate of what a suite kills.

1. The suite is read, and the solution must pass it.
2. Mutants of the solution run. The work of survivors is counted, and inputs that kill them are
   searched.
3. Planted wrong and slow programs run, and the size of stress inputs is measured with a slow one.
4. References run: their agreement with the expected outputs is evidence for these.
5. The inputs are checked against the specification, and the cases are ordered by kills.
"""

import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from pydantic import JsonValue

from steelyard.constraints import Validator, doubts_of
from steelyard.families import args_of
from steelyard.inputs import inputs_of
from steelyard.judging import MatchMode, TestSource, read_program
from steelyard.options import in_thread
from steelyard.sandbox import CellPool
from steelyard.schemas import (
    AuthoredSuite,
    Entry,
    Event,
    Independence,
    Limits,
    OnEvent,
    Specification,
    StrengthReport,
    StressSize,
    Verdict,
)
from steelyard.strength._bench import Bench
from steelyard.strength._certificate import (
    Args,
    MutationFindings,
    by_category,
    check_inputs,
    independence_of,
    killed_of,
    order_and_twins,
    planted_survivors,
)
from steelyard.strength._matrix import KillMatrix, ProgramVerdicts
from steelyard.strength._mutants import ALIKE, likeness_of, mutate
from steelyard.strength._reading import MUTANTS, Program, StrengthOptions, read_given
from steelyard.strength._spec_growth import suite_growth
from steelyard.strength._survivors import KillingInput, search_inputs, work_of
from steelyard.toolchains import Toolchain, find_toolchain


def measure_strength(
    suite: AuthoredSuite | TestSource,
    solution: Program,
    *,
    spec: Specification | str | Path | None = None,
    wrong: Sequence[Program] = (),
    slow: Sequence[Program] = (),
    growth: StressSize | None = None,
    references: Sequence[Program] = (),
    mutants: int = MUTANTS,
    entry: Entry | str | None = None,
    candidates: Iterable[Sequence[JsonValue]] | None = None,
    match_mode: MatchMode | None = None,
    abs_tol: float | None = None,
    rel_tol: float | None = None,
    sequences_alike: bool = False,
    ignore_case: bool = False,
    preload: Sequence[str] = (),
    pool: CellPool | None = None,
    limits: Limits | None = None,
    seed: int | None = 0,
    on_event: OnEvent | None = None,
) -> StrengthReport:
    """Measure how strong a suite is: which programs it kills that are not right, or not fast.

    Args:
        suite: An authored suite, or cases as for `judge`.
        solution: A right program, which passes every case. A `Path` is a file; `str` and `bytes`
            are the program's text.
        spec: The specification, or its JSON file. Without it validity and bounds are unknown.
        wrong: Planted wrong programs.
        slow: Planted slow programs, whose answers are right.
        growth: The size of stress inputs, if it is known; None measures it with the first slow
            program, which needs `spec`.
        references: Other solutions, written without sight of the solution.
        mutants: Largest number of mutants of the solution.
        entry: How programs are entered; None is `class:Solution.solve`, or `stdio` for a folder.
        candidates: Arguments of calls that are tried on surviving mutants, in this order: three
            for each case of the suite, and at least 60. None makes them from the specification.
        match_mode: As for `judge`; None is the specification's, else `exact`.
        abs_tol: For modes that compare numbers, the largest absolute difference.
        rel_tol: For these, the largest difference relative to the expected number.
        sequences_alike: For calls, a list equals a tuple with the same items.
        ignore_case: For printed words and lines, `A` to `Z` equal `a` to `z`.
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
    options = StrengthOptions.among(locals())
    return StrengthMeasurement(suite, solution, options).report()


ameasure_strength = in_thread(measure_strength, "ameasure_strength")
_MOST_COUNTED = 100
_SEARCH_TIMES, _LEAST_SEARCHED = 3, 60
"""Inputs that are tried on survivors: for each case of the suite, and at least in all."""


class StrengthMeasurement:
    """One measurement; `report` does all of its steps.

    Args:
        suite: As for `measure_strength`.
        solution: As for `measure_strength`.
        options: How to measure.

    Raises:
        UsageError, InfrastructureError: as `measure_strength`.
    """

    def __init__(
        self, suite: AuthoredSuite | TestSource, solution: Program, options: StrengthOptions
    ) -> None:
        self._begun = time.monotonic()
        self._options = options
        self._given = read_given(suite, options)
        spec = self._given.spec
        self._validator = None if spec is None else Validator.of(spec)
        source, toolchain = self._read(solution)
        self._step("running the solution", 0.0)
        self._bench = Bench(
            source,
            toolchain,
            self._given.tests,
            entry=self._given.entry,
            checker=self._given.checker,
            pool=options.cells,
            limits=self._given.limits,
        )
        self._searched = 0

    def report(self) -> StrengthReport:
        """Return the certificate."""
        cases = self._given.tests.cases
        mutation, wrong, slow = self.mutation, self.wrong, self.slow
        self._step("measuring growth", 0.85)
        references = self._planted("reference", self._options.references, 0.9)
        independence = independence_of(self._given.authored, references, self._likeness())
        order, twins = order_and_twins(cases, self.matrices)
        names, every = [case.name for case in cases], range(len(cases))
        inputs = None
        if self._validator is not None:
            inputs = check_inputs(self._validator, self._given.args, self._given.unread)
        self._step("done", 1.0)
        return StrengthReport(
            cases=len(cases),
            validity=inputs.validity(every) if inputs else None,
            invalid=inputs.invalid(names) if inputs else (),
            bounds=inputs.bounds_reached(every) if inputs else None,
            missed_bounds=inputs.missed() if inputs else (),
            mutation=mutation.score() if mutation else None,
            killed_by_verdict=mutation.by_verdict() if mutation else {},
            wrong=killed_of(wrong),
            slow=killed_of(slow),
            growth=self.growth[0],
            independence=independence,
            by_category=by_category(cases, self._given.authored, inputs, mutation, wrong, slow),
            survivors=(
                *planted_survivors(wrong, "wrong"),
                *planted_survivors(slow, "slow"),
                *(mutation.listed() if mutation else ()),
            ),
            order=order,
            twins=twins,
            notes=(*self._notes(), *_copies(independence)),
            seconds=time.monotonic() - self._begun,
            isolation=self._options.cells.isolation,
        )

    @property
    def matrices(self) -> tuple[KillMatrix, ...]:
        """The kills of mutants, and of planted wrong and slow programs; without empty ones."""
        mutants = self.mutation.matrix if self.mutation else None
        return tuple(each for each in (mutants, self.wrong, self.slow) if each is not None)

    @cached_property
    def mutation(self) -> MutationFindings | None:
        """The fate of the mutants; None if none are made."""
        bench, most = self._bench, self._options.mutants
        if bench.toolchain.harness is None or not most:
            return None
        self._step("making mutants", 0.1)
        mutants = mutate(bench.solution, most, bench.pool, bench.toolchain)
        matrix = bench.mutants(mutants.found, self._counter(len(mutants.found), "mutant", 0.1, 0.6))
        self._step("counting the work of surviving mutants", 0.6)
        found = MutationFindings(mutants, matrix)
        found = replace(found, work=work_of(bench, found.survivors[:_MOST_COUNTED]))
        self._step("searching inputs that kill survivors", 0.65)
        killing = {name: each.args for each in self._search(found) for name in each.kills}
        return replace(found, killing_inputs=killing, searched=self._searched)

    @cached_property
    def wrong(self) -> KillMatrix | None:
        """The kills of planted wrong programs."""
        return self._planted("wrong program", self._options.wrong, 0.7)

    @cached_property
    def slow(self) -> KillMatrix | None:
        """The kills of planted slow programs."""
        return self._planted("slow program", self._options.slow, 0.8)

    @cached_property
    def growth(self) -> tuple[StressSize | None, str]:
        """The size of stress inputs, and why it is not known or what the suite lacks."""
        bench, programs = self._bench, self._named("slow program", self._options.slow)
        texts = [source for _, source, toolchain in programs if toolchain.harness is not None]
        if not self._given.is_called or bench.toolchain.harness is None:
            return None, ""
        return suite_growth(self._given, bench.solution, next(iter(texts), None), self._options)

    def _search(self, found: MutationFindings) -> Iterator[KillingInput]:
        """Yield inputs beyond the suite that kill survivors."""
        given = self._given
        most = max(_LEAST_SEARCHED, _SEARCH_TIMES * len(given.tests))
        candidates = self._candidates(most + len(given.tests)) if found.survivors else ()
        known = {given.calls.call_of(args) for args in given.args if args is not None}
        yield from search_inputs(
            self._bench,
            found.survivors,
            self._fresh(map(tuple, candidates), known),
            given.calls.call_of,
            most=most,
            on_run=self._count_run,
        )

    def _count_run(self, inputs: int) -> None:
        self._searched += inputs

    def _candidates(self, count: int) -> Iterable[Sequence[JsonValue]]:
        """Return inputs beyond the suite: the caller's, else made from the specification."""
        options, spec = self._options, self._given.spec
        if not self._given.is_called:
            return ()
        if options.candidates is not None or spec is None:
            return options.candidates or ()
        made = inputs_of(spec, seed=options.seed or 0).further(count)
        return (args_of(case.input) for case in made)

    def _fresh(self, candidates: Iterator[Args], known: set[bytes]) -> Iterator[Args]:
        """Yield valid candidates that were not yet tried."""
        for args in candidates:
            call = self._given.calls.call_of(args)
            if call not in known and (self._validator is None or self._validator.is_valid(args)):
                known.add(call)
                yield args

    def _planted(self, what: str, programs: Sequence[Program], begun: float) -> KillMatrix | None:
        if not programs:
            return None
        every = self._named(what, programs)
        return self._bench.programs(every, self._counter(len(every), what, begun, begun + 0.1))

    def _named(self, what: str, programs: Sequence[Program]) -> list[tuple[str, bytes, Toolchain]]:
        """Return programs with their texts and toolchains, each under a name of its own."""
        every: list[tuple[str, bytes, Toolchain]] = []
        for number, program in enumerate(programs, start=1):
            name = program.name if isinstance(program, Path) else f"{what} {number}"
            names = [each[0] for each in every]
            every.append((f"{name} ({number})" if name in names else name, *self._read(program)))
        return every

    def _likeness(self) -> dict[str, float | None]:
        """Return how alike each Python reference and the solution are."""
        bench = self._bench
        return {
            name: likeness_of(bench.solution, source, bench.pool, bench.toolchain)
            for name, source, toolchain in self._named("reference", self._options.references)
            if toolchain.language == bench.toolchain.language
        }

    def _read(self, program: Program) -> tuple[bytes, Toolchain]:
        entry, options = self._given.entry, self._options
        language = None if entry.kind == "stdio" else "python"
        language, taken = read_program(program, language, entry)
        if language != "python":
            return taken.code, find_toolchain(language)
        return taken.code, find_toolchain(language, preload=options.preload, seed=options.seed)

    def _notes(self) -> Iterator[str]:
        yield from self._given.notes
        if self._validator is not None:
            yield from doubts_of(self._validator)
        if self.growth[1]:
            yield self.growth[1]
        bench, mutation = self._bench, self.mutation
        if bench.toolchain.harness is None:
            yield f"mutants are made of Python programs, not of {bench.toolchain.row.title}"
        elif self._given.is_called and len(self._given.tests) > 1 and not bench.shares:
            yield "the solution keeps state between calls; each case of a mutant ran alone"
        if mutation is not None:
            if not mutation.mutants.found:
                yield "no mutation operator applies to the solution"
            if mutation.survivors and not mutation.searched:
                advice = (
                    "inputs are searched for functions and methods only, and the entry is stdio"
                )
                if self._given.is_called:
                    advice = "give a specification"
                yield (
                    "mutants survive, and no more inputs were searched for them: the suite's "
                    f"strength is unproved; {advice}"
                )
        if not any(matrix.rows for matrix in self.matrices):
            yield (
                "no program was run that the suite should kill, so its strength is unproved; give "
                "wrong programs"
            )
        for row in self.slow.killed if self.slow else ():
            if row.how is Verdict.WA:
                yield f"the slow program {row.name} gives wrong answers: {row.message}"

    def _counter(
        self, total: int, what: str, begun: float, end: float
    ) -> Callable[[ProgramVerdicts], None]:
        """Return the callback that reports each row."""
        count = itertools.count(1)

        def receive(row: ProgramVerdicts) -> None:
            done = next(count)
            how = f"killed: {row.how}" if row.killed else "survives"
            share = begun + (end - begun) * done / total
            self._step(f"{what} {done:,} of {total:,}", share, f"{row.name} {how}")

        return receive

    def _step(self, stage: str, share: float, message: str = "") -> None:
        self._options.emit(Event(job="strength", stage=stage, share=share, message=message))


def _copies(independence: Independence) -> Iterator[str]:
    for each in independence.references:
        if each.likeness is not None and each.likeness >= ALIKE:
            yield (
                f"the reference {each.name} shares {each.likeness:.0%} of its syntax with the "
                "solution, so its agreement proves little"
            )
