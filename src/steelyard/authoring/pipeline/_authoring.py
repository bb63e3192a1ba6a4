"""One run: specification, inputs, solutions, evidence, growth, strength."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from steelyard.authoring._specify import Specified, Specifier
from steelyard.authoring.calls import Args, Fault
from steelyard.authoring.evidence import telling_inputs
from steelyard.authoring.oracle import KnownInputs, OracleProgram, OracleResult, ask_oracle
from steelyard.authoring.pipeline._inputs import Grown, Made, assembled, grow, make
from steelyard.authoring.pipeline._results_folder import AuthorHead, results_of
from steelyard.authoring.pipeline._strengthening import Strengthened, Strengthening
from steelyard.authoring.references import (
    Settled,
    Settling,
    SolutionRuns,
    SolutionWriter,
    WrittenSolution,
)
from steelyard.authoring.specification import statement_of
from steelyard.constraints import Validator
from steelyard.errors import ReplyError, SpecificationError
from steelyard.runs import FAULTS, Run, ended_by
from steelyard.schemas import (
    AuthoredCase,
    AuthoredSuite,
    AuthorReport,
    AuthorRound,
    AuthorStatus,
    AuthorStop,
    OpenQuestion,
    OracleReport,
    ReferenceRole,
    Specification,
    StrengthReport,
    StressSize,
)

REVISIONS = 2
"""Suites that are made again, at most."""
_TRACED = 2
"""Solutions that further inputs are chosen by: the optimised one and the brute force."""
_MAIN_ROLES: tuple[ReferenceRole, ...] = ("optimised", "given", "alternative", "brute-force")
"""The role of the solution that measures the suite, the preferred one first."""
_ASKED: tuple[tuple[ReferenceRole, str], ...] = (
    ("optimised", "optimised"),
    ("brute-force", "brute force"),
)


@dataclass(slots=True)
class _FoundSoFar:
    """The findings of the run so far: all of them are in the report, however the run ends."""

    specification: Specification | None = None
    questions: list[OpenQuestion] = field(default_factory=list)
    oracle: OracleReport | None = None
    settled: Settled | None = None
    rounds: list[AuthorRound] = field(default_factory=list)
    suite: AuthoredSuite | None = None
    main: WrittenSolution | None = None
    strength: StrengthReport | None = None
    stress: StressSize | None = None


class Authoring:
    """One run of authoring.

    Args:
        head: The input.
        run: Asks the models if there are any, and keeps the result of each step.
    """

    def __init__(self, head: AuthorHead, run: Run) -> None:
        self._head, self._options, self._run = head, head.options, run
        self._found = _FoundSoFar()
        self._specifier: Specifier | None = None

    async def author(self) -> AuthorReport:
        """Run to the end; return a report in any case.

        Raises:
            UsageError: if the request asks for nothing.
        """
        try:
            return self._report(*await self._all())
        except (SpecificationError, ReplyError) as error:
            return self._report("failed", "no-specification", str(error))
        except FAULTS as error:
            return self._report(*ended_by(error), str(error))

    # -------------------------------------------------------------------------- the steps

    async def _all(self) -> tuple[AuthorStatus, AuthorStop, str]:
        if self._head.no_models:
            self._run.note(self._head.no_models)
        spec = await self._specification()
        why = ""
        for number in range(REVISIONS + 1):
            settled, made, runs, keep = await self._round(number, spec, why)
            revised = None
            if number < REVISIONS and (settled.suspicion or settled.questions):
                why = settled.suspicion or _ambiguity(settled.questions)
                revised = await self._revised(spec, why)
            self._add_round(number, settled, why if revised else "")
            if revised is None:
                break
            spec = revised
        if settled.suspicion:
            self._run.note(f"the suite was suspected, and kept: {settled.suspicion}")
            self._found.settled = settled = await keep()
        self._found.questions += settled.questions
        suite = AuthoredSuite(spec_digest=spec.digest, cases=settled.weighed.cases)
        self._found.suite = suite
        self._found.main = main = _main_solution(settled, suite)
        if main is not None:
            await self._measured(spec, settled, made, runs, suite, main)
        return self._end(main)

    async def _specification(self) -> Specification:
        if self._head.specification is not None:
            self._found.specification = self._head.specification
            return self._head.specification
        self._specifier = Specifier(self._run, self._head.request)
        written = await self._specifier.write()
        return self._specified(written)

    def _specified(self, written: Specified) -> Specification:
        written = self._run.keep("specified", Specified, written)
        self._found.specification = written.specification
        self._found.questions = [OpenQuestion(text=each) for each in written.questions]
        return written.specification

    async def _revised(self, spec: Specification, why: str) -> Specification | None:
        """Return another specification, if the request settles what is open."""
        if self._specifier is None:
            return None
        written = await self._specifier.revise(spec, why)
        if written is None:
            return None
        if written.specification == spec:
            known = {each.text for each in self._found.questions}
            new = [each for each in written.questions if each not in known]
            self._found.questions += [OpenQuestion(text=each) for each in new]
            return None
        self._run.turn_to(self._run.iteration + 1)
        return self._specified(written)

    async def _round(
        self, number: int, spec: Specification, why: str
    ) -> tuple[Settled, Made, SolutionRuns, Callable[[], Awaitable[Settled]]]:
        """Return the outputs of one suite, and what settles it if it is suspected and kept."""
        run, options = self._run, self._options
        seed = options.fixed_seed()
        run.notify("inputs", f"up to {options.cases} from the constraints")
        made: Made = await run.done("inputs", Made, lambda: make(spec, seed, options.cases))
        for note in made.notes:
            run.note(note)
        oracle = OracleResult()
        if run.asks:
            examples = [each.args for each in spec.examples]
            known = KnownInputs(made.valid, made.invalid, examples)
            oracle = await ask_oracle(
                run,
                spec,
                known,
                found=why,
                earlier=self._found.oracle.program if self._found.oracle else "",
            )
            self._found.oracle = oracle.report
        runs = SolutionRuns(spec, run.pool, options.limits)
        writer = SolutionWriter(run, spec, statement_of(spec)) if run.asks else None
        programs = await self._programs(writer)
        cases = assembled(spec, await self._chosen(runs, made, programs), oracle.cases)
        may_suspect = oracle.speaks and self._specifier is not None and number < REVISIONS
        source = oracle.report.program

        def decides(inputs: Sequence[Args]) -> list[bool | None]:
            types = tuple(Validator.of(spec).types.values())
            program = OracleProgram.of(source, types, run.pool)
            return [None] * len(inputs) if isinstance(program, Fault) else program.accepts(inputs)

        settling = Settling(
            runs,
            run,
            Validator.of(spec),
            made.smallest,
            writer,
            decides if may_suspect else None,
        )
        self._found.settled = settled = await settling.settle(programs, cases)
        return settled, made, runs, partial(settling.settle_without_doubt, settled, cases)

    async def _chosen(
        self, runs: SolutionRuns, made: Made, programs: Sequence[WrittenSolution]
    ) -> tuple[AuthoredCase, ...]:
        """Return the inputs of the suite: those on which solutions do most."""
        options = self._options
        voices = [runs.voice(each) for each in programs if not each.fault][:_TRACED]
        solutions = [voice.callee for voice in voices if not isinstance(voice, Fault)]
        if not solutions:
            return made.cases[: options.cases]
        self._run.notify("choose", f"up to {options.cases} inputs by what solutions do with them")
        chosen: tuple[AuthoredCase, ...] = await self._run.done(
            "telling_inputs",
            tuple[AuthoredCase, ...],
            lambda: telling_inputs(
                runs.spec,
                solutions,
                made.cases,
                seed=options.fixed_seed(),
                count=options.cases,
                thorough=options.thorough,
            ),
        )
        return chosen

    async def _programs(self, writer: SolutionWriter | None) -> list[WrittenSolution]:
        """Return the author's own solutions, then those of models up to the wanted number."""
        sources = self._head.solutions
        programs = [
            WrittenSolution(
                name="given" if len(sources) == 1 else f"given {number}",
                role="given",
                source=source,
            )
            for number, source in enumerate(sources, start=1)
        ]
        if writer is None:
            return programs
        asked = list(_ASKED[1:] if programs else _ASKED)
        wanted = self._options.solutions - len(programs)
        asked += [
            ("alternative", f"alternative {number}") for number in range(1, wanted - len(asked) + 1)
        ]
        for role, name in asked[:wanted]:
            programs.append(await writer.write(role, name))
        return programs

    def _add_round(self, number: int, settled: Settled, why_again: str) -> None:
        self._found.rounds.append(
            AuthorRound(
                number=number,
                cases=len(settled.weighed.cases),
                contradicted=settled.contradicted,
                why_again=why_again,
            )
        )

    async def _measured(
        self,
        spec: Specification,
        settled: Settled,
        made: Made,
        runs: SolutionRuns,
        suite: AuthoredSuite,
        main: WrittenSolution,
    ) -> None:
        """Grow the stress cases, and make the suite stronger."""
        programs = [each for each in settled.programs if not each.fault]
        others = [each for each in programs if each is not main]
        slow = [each for each in others if each.role == "brute-force"] or others
        brute_force = slow[-1] if slow else None
        self._run.notify("grow", f"{main.name}, {brute_force.name if brute_force else 'alone'}")
        grown: Grown = await self._run.done(
            "grown",
            Grown,
            lambda: grow(
                runs,
                suite.cases,
                programs,
                main,
                brute_force,
                made.smallest,
                self._run.pool,
                self._options.fixed_seed(),
            ),
        )
        if grown.fault:
            self._run.note(grown.fault)
        if grown.size is not None:
            self._found.stress = grown.size
            usable = [each for each in grown.cases if each.has_expected]
            suite = AuthoredSuite(
                spec_digest=suite.spec_digest,
                cases=assembled(spec, (*suite.cases, *usable), ()),
                time_limit_ms=grown.size.time_limit_ms,
            )
            self._found.suite = suite
        strengthening = Strengthening(
            runs,
            self._run,
            self._options,
            programs,
            settled.replaced,
            brute_force,
            grown.size,
            made.smallest,
        )
        found: Strengthened = await strengthening.strengthen(suite, main)
        self._found.suite, self._found.strength = found.suite, found.report
        if self._found.oracle is not None:
            self._found.oracle = self._found.oracle.model_copy(
                update={"only_kills": found.only_model_kills}
            )

    # -------------------------------------------------------------------------- the end

    def _end(self, main: WrittenSolution | None) -> tuple[AuthorStatus, AuthorStop, str]:
        suite = self._found.suite
        assert suite is not None
        known = sum(each.has_expected for each in suite.cases)
        disputed = sum(each.trust == "disputed" for each in suite.cases)
        if main is None and known < len(suite.cases) - disputed:
            settled = self._found.settled
            faults = [each.fault for each in settled.weighed.solutions] if settled else []
            why = next(filter(None, faults), "give a solution with --solution, or a model")
            return "open", "no-outputs", f"{len(suite.cases) - known} cases have no output: {why}"
        if disputed or any(each.readings for each in self._found.questions):
            return "open", "disputed", f"solutions contradict each other on {disputed} cases"
        if main is None:
            return "open", "disputed", "no solution gives all expected outputs"
        return "done", "complete", f"{known} cases; {main.name} gives every expected output"

    def _report(self, status: AuthorStatus, stop: AuthorStop, reason: str) -> AuthorReport:
        found, settled = self._found, self._found.settled
        return AuthorReport(
            task_id=self._head.task_id,
            status=status,
            stop=stop,
            reason=reason,
            specification=found.specification,
            suite=found.suite or self._unmeasured(),
            questions=tuple(found.questions),
            oracle=found.oracle,
            solutions=settled.weighed.solutions if settled else (),
            solution=found.main.name if found.main else "",
            rounds=tuple(found.rounds),
            strength=found.strength,
            stress=found.stress,
            isolation=self._run.pool.isolation,
            folder=str(results_of(self._run.path)) if self._run.path else "",
        )

    def _unmeasured(self) -> AuthoredSuite | None:
        """Return the suite of a run that ended early, if its cases are known."""
        found = self._found
        if found.settled is None or found.specification is None:
            return None
        return AuthoredSuite(
            spec_digest=found.specification.digest, cases=found.settled.weighed.cases
        )


def _main_solution(settled: Settled, suite: AuthoredSuite) -> WrittenSolution | None:
    """Return the solution that gives every expected output; the preferred role first."""
    known = sum(each.has_expected for each in suite.cases)
    whole = {
        each.name
        for each in settled.weighed.solutions
        if not each.fault and each.agrees and each.agrees.whole and each.agrees.of == known
    }
    able = [each for each in settled.programs if each.name in whole]
    return min(able, key=lambda each: _MAIN_ROLES.index(each.role), default=None)


def _ambiguity(questions: Sequence[OpenQuestion]) -> str:
    """Return open questions for the model that wrote the specification."""
    lines = []
    for each in questions:
        readings = "; ".join(str(reading.answer)[:200] for reading in each.readings)
        lines.append(f"{each.text} Independent solutions differ: {readings}")
    return "\n".join(lines)
