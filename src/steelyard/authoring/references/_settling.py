"""Settle what solutions disagree about: whose answer is right, and who is repaired."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from steelyard.authoring.calls import Args, Fault, shown_call
from steelyard.authoring.references._runs import SolutionRuns, WrittenSolution
from steelyard.authoring.references._shrinking import shrink
from steelyard.authoring.references._voting import Split, ballots_of
from steelyard.authoring.references._weighing import Smallest, Weighed, weigh
from steelyard.authoring.references._writing import SolutionWriter
from steelyard.constraints import Validator
from steelyard.runs import Run
from steelyard.schemas import AuthoredCase, OpenQuestion, Record, Share

HEALINGS = 3
"""Most repairs of one solution."""
SUSPICIOUS = 0.3
"""Above this share of contradictions the suite itself is suspected."""
_LEAST_SPLITS = 3
_MOST_QUESTIONS = 5
_SMALL_CHARS = 40

Decides = Callable[[Sequence[Args]], list[bool | None]]
"""An independent validator of inputs; None where it has no answer."""


class Settled(Record):
    """The outputs of a suite, and the solutions behind them."""

    weighed: Weighed
    programs: tuple[WrittenSolution, ...]
    replaced: tuple[WrittenSolution, ...] = ()
    """Versions that were repaired: they are known to be wrong."""
    contradicted: Share | None = None
    """Cases on which the first versions contradicted each other."""
    suspicion: str = ""
    """The reason why the suite or the specification is at fault; empty if neither is."""
    questions: tuple[OpenQuestion, ...] = ()


@dataclass(frozen=True, slots=True)
class _Wrong:
    """A solution that gives a wrong answer."""

    program: WrittenSolution
    split: Split
    right: Any
    why: str


@dataclass(slots=True)
class Settling:
    """Weighs the answers of solutions until nothing is left to decide."""

    runs: SolutionRuns
    run: Run
    validator: Validator
    smallest: Smallest
    writer: SolutionWriter | None
    """None: no model can be asked."""
    decides: Decides | None
    """The model's own validator, if it may speak, and if the suite can be made again."""
    number: int = 0
    healed: Counter[str] = field(default_factory=Counter)
    replaced: list[WrittenSolution] = field(default_factory=list)
    rejected: dict[str, WrittenSolution] = field(default_factory=dict)
    """The last repair of a solution that was no better, by name."""
    third_asked: bool = False

    async def settle(
        self, programs: Sequence[WrittenSolution], cases: Sequence[AuthoredCase]
    ) -> Settled:
        """Return the outputs of these cases.

        On a contradiction it is asked in this order: is the input valid, which side do the examples
        take, what does a third independent solution give? The side that loses is repaired.

        Raises:
            BudgetError, ModelError: if a model cannot be asked.
            InfrastructureError: if the machine failed.
        """
        programs = tuple(programs)
        weighed = await self._weighed(programs, cases)
        return await self._decided(programs, weighed, cases)

    async def settle_without_doubt(
        self, suspected: Settled, cases: Sequence[AuthoredCase]
    ) -> Settled:
        """Return the outputs of cases that were suspected, and are kept: solutions heal.

        Raises:
            BudgetError, ModelError: if a model cannot be asked.
            InfrastructureError: if the machine failed.
        """
        self.decides = None
        found = await self._decided(suspected.programs, suspected.weighed, cases)
        return found.model_copy(update={"contradicted": suspected.contradicted})

    async def _decided(
        self, programs: tuple[WrittenSolution, ...], weighed: Weighed, cases: Sequence[AuthoredCase]
    ) -> Settled:
        first = weighed.contradicted
        while True:
            first = first or weighed.contradicted
            suspicion = await self._suspicion(weighed)
            wrong = None if suspicion else self._wrong(weighed, programs)
            if wrong is not None:
                programs, weighed = await self._heal(wrong, weighed, programs, cases)
            elif not suspicion and self.writer is not None and self._needs_third(weighed):
                self.third_asked = True
                third = await self.writer.write("alternative", "third solution")
                programs = (*programs, third)
                weighed = await self._weighed(programs, cases)
            else:
                return Settled(
                    weighed=weighed,
                    programs=programs,
                    replaced=tuple(self.replaced),
                    contradicted=first,
                    suspicion=suspicion,
                    questions=_questions(weighed),
                )

    async def _weighed(
        self, programs: tuple[WrittenSolution, ...], cases: Sequence[AuthoredCase]
    ) -> Weighed:
        self.number += 1
        many = "" if len(programs) == 1 else "s"
        self.run.notify("compare", f"{len(programs)} solution{many} on {len(cases)} cases")
        found: Weighed = await self.run.done(
            f"weighed_{self.number}",
            Weighed,
            lambda: weigh(self.runs, programs, cases, self.smallest),
        )
        return found

    async def _suspicion(self, weighed: Weighed) -> str:
        """Return why the suite is at fault, if the contradictions are due to its inputs.

        Above 30 % contradictions half of the inputs must be refused; below that, all of them.
        """
        share, decides = weighed.contradicted, self.decides
        inputs = [each.args for each in weighed.splits]
        if share is None or decides is None or len(inputs) < _LEAST_SPLITS:
            return ""
        found: list[bool | None] = await self.run.done(
            f"decided_{self.number}", list[bool | None], lambda: decides(inputs)
        )
        refused = [args for args, decision in zip(inputs, found, strict=True) if decision is False]
        many = share.count > SUSPICIOUS * share.of
        if len(refused) < len(inputs) / (2 if many else 1):
            return ""
        return (
            f"solutions contradict each other on {share} cases, and the generator's own validator "
            f"refuses {len(refused)} of {len(inputs)} such inputs, which the constraints allow: "
            f"{shown_call(refused[0])}"
        )

    def _wrong(self, weighed: Weighed, programs: Sequence[WrittenSolution]) -> _Wrong | None:
        """Return the solution to repair next: examples decide first, then the majority."""
        able = {each.name: each for each in programs if self._can_heal(each)}
        for name, split in weighed.truth_faults.items():
            if name in able:
                truth = split.readings[0]
                why = f"{truth.solutions[0]} states it"
                return _Wrong(able[name], split, truth.answer, why)
        losers = Counter(name for each in weighed.splits for name in each.losers)
        for name, _ in losers.most_common():
            if name not in able:
                continue
            split = next(each for each in weighed.splits if name in each.losers)
            winner = split.winner
            assert winner is not None
            others = " and ".join(winner.solutions)
            return _Wrong(able[name], split, winner.answer, f"{others}: independent, and agree")
        return None

    def _can_heal(self, program: WrittenSolution) -> bool:
        return (
            self.writer is not None
            and program.role != "given"
            and not program.fault
            and self.healed[program.name] < HEALINGS
        )

    def _needs_third(self, weighed: Weighed) -> bool:
        """Return True if nothing decides, or one of several solutions alone has a vote."""
        voting = sum(not each.fault for each in weighed.solutions)
        undecided = any(each.winner is None for each in weighed.splits)
        return not self.third_asked and (undecided or voting < min(2, len(weighed.solutions)))

    async def _heal(
        self,
        wrong: _Wrong,
        weighed: Weighed,
        programs: tuple[WrittenSolution, ...],
        cases: Sequence[AuthoredCase],
    ) -> tuple[tuple[WrittenSolution, ...], Weighed]:
        """Return the solutions and their answers after a repair; the last viable version stays."""
        assert self.writer is not None
        program = wrong.program
        wrong = await self._shrunk(wrong, weighed, programs)
        rejected = self.rejected.pop(program.name, None)
        repaired = await self.writer.heal(program, wrong.split, wrong.right, wrong.why, rejected)
        self.healed[program.name] += 1
        if not repaired.fault:
            tried = tuple(repaired if each is program else each for each in programs)
            again = await self._weighed(tried, cases)
            if _rank(again, program.name) >= _rank(weighed, program.name):
                self.replaced.append(program)
                return tried, again
        self.rejected[program.name] = repaired
        self.run.note(f"{program.name}: a repair was no better; the version before it is kept")
        return programs, weighed

    async def _shrunk(
        self, wrong: _Wrong, weighed: Weighed, programs: Sequence[WrittenSolution]
    ) -> _Wrong:
        """Return a smaller input on which the same solution loses to the others.

        An example stays: no answer is stated for a smaller one.
        """
        split, name = wrong.split, wrong.program.name
        of_truth = split in weighed.truth_faults.values()
        if of_truth or split.winner is None or len(shown_call(split.args)) <= _SMALL_CHARS:
            return wrong
        found: Split = await self.run.done(
            f"shrunk_{self.number}_{self.healed[name] + 1}",
            Split,
            lambda: self._smaller(split, name, programs),
        )
        winner = found.winner
        assert winner is not None
        return _Wrong(wrong.program, found, winner.answer, wrong.why)

    def _smaller(self, split: Split, name: str, programs: Sequence[WrittenSolution]) -> Split:
        voting = {each for reading in split.readings for each in reading.solutions}
        voices = [self.runs.voice(each) for each in programs if each.name in voting]
        called = [each for each in voices if not isinstance(each, Fault)]

        def splits_of(inputs: Sequence[Args]) -> list[Split]:
            ballots = ballots_of(self.runs, called, inputs, together=True)
            return [ballot.split(args) for ballot, args in zip(ballots, inputs, strict=True)]

        def shows_fault(inputs: Sequence[Args]) -> list[bool]:
            return [each.losers == (name,) for each in splits_of(inputs)]

        args = shrink(split.args, shows_fault, self.validator)
        smaller = splits_of([args])[0]
        return smaller if smaller.losers == (name,) else split


def _rank(weighed: Weighed, name: str) -> tuple[bool, int, float]:
    """Return the rank of a solution; larger is better."""
    solution = next(each for each in weighed.solutions if each.name == name)
    right = solution.examples.count if solution.examples else 0
    agrees = solution.agrees.count / solution.agrees.of if solution.agrees else 0.0
    return not solution.fault, right, agrees


def _questions(weighed: Weighed) -> tuple[OpenQuestion, ...]:
    """Return the inputs on which solutions differ, and nothing decides."""
    open_ = [each for each in weighed.splits if each.winner is None]
    return tuple(
        OpenQuestion(
            text=f"What must {shown_call(each.args)} return?",
            args=each.args,
            readings=each.readings,
        )
        for each in open_[:_MOST_QUESTIONS]
    )
