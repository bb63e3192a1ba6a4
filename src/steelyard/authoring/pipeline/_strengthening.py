"""Measure a suite, add inputs that kill survivors, and measure again."""

from collections.abc import Sequence
from dataclasses import dataclass

from steelyard.authoring._options import AuthorOptions
from steelyard.authoring._roles import BREAKER
from steelyard.authoring.pipeline._inputs import assembled, case_of, further_inputs
from steelyard.authoring.references import Smallest, SolutionRuns, WrittenSolution, weigh
from steelyard.constraints import Validator
from steelyard.errors import BudgetError, ReplyError, SpecificationError, UsageError
from steelyard.families import expand
from steelyard.runs import Run
from steelyard.schemas import (
    AuthoredCase,
    AuthoredSuite,
    Limits,
    Record,
    StrengthReport,
    StressSize,
    Survivor,
    json_text,
)
from steelyard.strength import StrengthMeasurement, StrengthOptions, ordered_by_kills

_ROUNDS = 3
_MOST_NEW = 20
_SHOWN_SURVIVORS = 10
_SHOWN_CHARS = 20_000


class Measured(Record):
    """A suite in the order of its kills, with its certificate."""

    suite: AuthoredSuite
    report: StrengthReport | None = None
    fault: str = ""
    """The reason why the suite cannot be measured."""


class Strengthened(Record):
    """A suite after all rounds."""

    suite: AuthoredSuite
    report: StrengthReport | None = None
    only_model_kills: int = 0
    """Mutants that only inputs of the model's generator kill."""


@dataclass(slots=True)
class Strengthening:
    """Makes one suite stronger.

    The search without a model comes first; a model is asked once, with the diffs that survive.
    """

    runs: SolutionRuns
    run: Run
    options: AuthorOptions
    programs: Sequence[WrittenSolution]
    wrong: Sequence[WrittenSolution]
    """Earlier versions of solutions, which are known to be wrong."""
    brute_force: WrittenSolution | None
    """A solution that need not be fast; its growth shows whether it is slow."""
    growth: StressSize | None
    smallest: Smallest
    asked: bool = False

    async def strengthen(self, suite: AuthoredSuite, solution: WrittenSolution) -> Strengthened:
        """Return the suite with inputs that kill more mutants, and its certificate.

        Args:
            suite: A suite with outputs.
            solution: A solution that gives all of them.

        Raises:
            ModelError: as in `Run.ask`.
            InfrastructureError: if the machine failed.
        """
        for number in range(_ROUNDS):
            measured = await self._measured(number, suite, solution)
            suite = measured.suite
            if measured.report is None:
                self.run.note(f"strength was not measured: {measured.fault}")
                break
            if number == _ROUNDS - 1:
                break
            is_last = number == _ROUNDS - 2
            new = await self._new_cases(suite, solution, measured.report, is_last=is_last)
            if not new:
                break
            suite = await self._with(number, suite, new)
        return Strengthened(
            suite=suite, report=measured.report, only_model_kills=_only_model_kills(suite.cases)
        )

    async def _measured(
        self, number: int, suite: AuthoredSuite, solution: WrittenSolution
    ) -> Measured:
        self.run.notify("measure", f"{len(suite.cases)} cases, round {number + 1}")
        found: Measured = await self.run.done(
            f"strength_{number}", Measured, lambda: self._measure(suite, solution)
        )
        return found

    def _measure(self, suite: AuthoredSuite, solution: WrittenSolution) -> Measured:
        spec, seed = self.runs.spec, self.options.fixed_seed()
        count = 2 * len(suite.cases)
        separates = self.growth is not None and self.growth.separates
        options = StrengthOptions.of(
            spec=spec,
            mutants=self.options.mutants,
            wrong=[each.source for each in self.wrong],
            slow=[self.brute_force.source] if self.brute_force and separates else [],
            growth=self.growth,
            candidates=further_inputs(spec, seed, count, self.smallest),
            pool=self.run.pool,
            limits=self.options.limits or Limits(cpu_ms=2_000),
        )
        if suite.time_limit_ms is not None:
            limits = (self.options.limits or Limits()).replace(cpu_ms=round(suite.time_limit_ms))
            options = options.model_copy(update={"limits": limits})
        try:
            measurement = StrengthMeasurement(suite, solution.source, options)
            report = measurement.report()
        except UsageError as error:
            return Measured(suite=suite, fault=str(error))
        return Measured(suite=ordered_by_kills(suite, measurement.matrices), report=report)

    async def _new_cases(
        self,
        suite: AuthoredSuite,
        solution: WrittenSolution,
        report: StrengthReport,
        *,
        is_last: bool,
    ) -> list[AuthoredCase]:
        """Return inputs that kill survivors, as a search found them and as a model gives them.

        The model is asked once: when the search finds nothing more, or in the last round.
        """
        mutants = [each for each in report.survivors if each.kind == "mutant"]
        found = [
            case_of(each.killing_input, "adversarial", f"search for {each.name}"[:200])
            for each in mutants
            if each.killing_input is not None
        ]
        left = [each for each in mutants if each.killing_input is None]
        if left and (is_last or not found) and self.run.asks and not self.asked:
            self.asked = True
            found = [*await self._of_model(solution, left), *found]
        known = {case.input.digest for case in suite.cases}
        new = {case.input.digest: case for case in found if case.input.digest not in known}
        return list(new.values())[:_MOST_NEW]

    async def _of_model(
        self, solution: WrittenSolution, mutants: Sequence[Survivor]
    ) -> list[AuthoredCase]:
        spec = self.runs.spec
        diffs = "\n\n".join(each.diff for each in mutants[:_SHOWN_SURVIVORS])
        data = {
            "specification": json_text(spec, 1, exclude_defaults=True),
            "right program": solution.source[:_SHOWN_CHARS],
            "surviving changes": diffs[:_SHOWN_CHARS],
        }
        self.run.notify("break", f"{len(mutants)} mutants survive")
        try:
            reply = await self.run.ask(BREAKER, {}, data)
        except (ReplyError, BudgetError) as error:
            self.run.note(f"no inputs against survivors: {error}")
            return []
        validator = Validator.of(spec)
        found = []
        for text in reply.inputs:
            try:
                args = expand(text)
            except SpecificationError:
                continue
            if validator.is_valid(args):
                found.append(case_of(args, "adversarial", "model against survivors"))
        return found

    async def _with(
        self, number: int, suite: AuthoredSuite, new: Sequence[AuthoredCase]
    ) -> AuthoredSuite:
        """Return the suite with further cases, and their outputs."""
        cases: tuple[AuthoredCase, ...] = await self.run.done(
            f"killers_{number}",
            tuple[AuthoredCase, ...],
            lambda: weigh(self.runs, self.programs, new, self.smallest).cases,
        )
        usable = [case for case in cases if case.has_expected]
        whole = assembled(self.runs.spec, (*suite.cases, *usable), ())
        return suite.model_copy(update={"cases": whole})


def _only_model_kills(cases: Sequence[AuthoredCase]) -> int:
    of_model = {name for case in cases if case.origin == "model" for name in case.kills}
    of_others = {name for case in cases if case.origin != "model" for name in case.kills}
    return len(of_model - of_others)
