"""Settle a challenge: all is computed first, then stored in one transaction or not at all.

1. The state of the problem is read (`_ProblemState`).
2. An input that breaks the specification, or that the suite has already, is refused.
3. The solutions with a vote answer it, the challenge is decided, and all that follows is computed.
4. If the state has not changed meanwhile, everything is stored; if it has, all begins anew.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, Self

from pydantic import JsonValue

from steelyard.authoring.calls import Args, shown_call, shown_value
from steelyard.authoring.challenges._adjudicate import Claim, Decision, decide
from steelyard.authoring.challenges._follow_up import (
    Challenged,
    Consequences,
    consequences_of,
)
from steelyard.authoring.challenges._healing import Healer, Healing
from steelyard.authoring.challenges._trusted_solutions import TrustedSolutions
from steelyard.authoring.challenges.submissions import CurrentProblem, SuiteJudge
from steelyard.authoring.references import Ballot, Smallest, Truth
from steelyard.authoring.specification import require_sound
from steelyard.constraints import Validator
from steelyard.errors import LanguageError, TestsError, UsageError
from steelyard.families import args_of, as_compact
from steelyard.inputs import inputs_of
from steelyard.reports import counted
from steelyard.sandbox import CellPool
from steelyard.schemas import (
    ChallengeHistory,
    ChallengeReport,
    CompactInput,
    Event,
    JudgedSolution,
    OnEvent,
    OutputEvidence,
    Rejudged,
    Spending,
    StoredSolution,
    StoredTruth,
    VerifyResult,
)
from steelyard.values import digest_of

if TYPE_CHECKING:
    from steelyard.storage import Change, Database, Reader

JUDGE: Final = "steelyard"
"""Who decides a challenge that no person decides."""
_MOST_TRIES = 5
_MOST_LINE, _MOST_NAME = 2_000, 200
_MOST_SMALLEST = 1_500


@dataclass(frozen=True, slots=True)
class Matter:
    """A challenge that is not settled yet."""

    problem: str
    args: Args
    expression: str
    """An expression of the arguments, if one is known."""
    reason: str
    by: str
    """Who challenges."""
    claim: tuple[JsonValue] | None
    stored: str = ""
    """The digest of a challenge that is stored already."""
    judge: str = JUDGE
    """Who decides: a person who is entitled to, or `JUDGE`."""
    why: str = ""
    """What this person gives as the reason."""
    final: bool = False
    """True if this person decides a contradiction."""
    rejects: bool = False
    """True if this person rejects the challenge."""
    owner: str = ""
    """The account of who challenges; empty for the administrator."""


def settle(
    database: "Database",
    matter: Matter,
    pool: CellPool,
    on_event: OnEvent | None,
    healer: Healer | None = None,
) -> ChallengeReport:
    """Settle a challenge, and store it with all its consequences in one transaction.

    Raises:
        BudgetError, ModelError: if the model that repairs cannot be asked; nothing is stored.
        UsageError: if the problem is missing, or changes all the time; nothing is stored.
        InfrastructureError: if the machine or the database failed; nothing is stored.
    """
    started, started_utc = time.monotonic(), datetime.now(UTC)
    before = Spending() if healer is None else healer.run.spending
    notes = () if healer is None else healer.run.notes
    for _ in range(_MOST_TRIES):
        with database.read() as reader:
            base = _ProblemState.read(reader, matter.problem)
        resolution = _Resolution(base, matter, pool, on_event, healer, before, notes, started_utc)
        refused = resolution.refused()
        if refused is not None:
            return refused
        resolution.decide()
        with database.change() as change:
            if _ProblemState.read(change, matter.problem) == base:
                digest, version = resolution.store(change)
                return resolution.report(digest, version, time.monotonic() - started)
    raise UsageError(
        f"problem {matter.problem} has changed {_MOST_TRIES} times while the challenge was judged; "
        "try again"
    )


@dataclass(frozen=True, slots=True)
class _ProblemState:
    """Whatever the consequences of a challenge depend on."""

    problem: CurrentProblem
    solutions: tuple[StoredSolution, ...]
    judged: tuple[JudgedSolution, ...]
    """The judgements on the current suite."""
    outdated: frozenset[str]
    """Submitted solutions that are not judged on the current suite."""
    challenges: tuple[ChallengeHistory, ...]
    truths: tuple[StoredTruth, ...]

    @classmethod
    def read(cls, reader: "Reader", problem: str) -> Self:
        """Return the state of a problem.

        Raises:
            UsageError: if there is no such problem, or it has no suite.
            DatabaseError: if it is damaged.
        """
        current = CurrentProblem.read(reader, problem)
        judged = reader.judgements(problem, suite=current.version.suite)
        done = {each.judgement.solution for each in judged}
        submitted = {each.solution for each in reader.submissions(problem)}
        return cls(
            problem=current,
            solutions=reader.solutions(problem),
            judged=judged,
            outdated=frozenset(submitted - done),
            challenges=reader.challenges(problem),
            truths=reader.truths(problem),
        )

    def truths_of(self, trusted: TrustedSolutions, given: CompactInput, own: str) -> list[Truth]:
        """Return the outputs that are stated for an input by others than a challenge.

        Args:
            trusted: Checks the types of outputs.
            given: The input.
            own: The digest of the challenge; empty if it is not stored.

        Raises:
            UsageError: if one of them is not of the type that `solve` returns.
        """
        examples = {
            f"example {number}": each.expected
            for number, each in enumerate(self.problem.spec.examples, 1)
            if digest_of(each.args) == given.digest
        }
        stated = [
            *examples.items(),
            *(
                (case.evidence.truth, case.expected)
                for case in self.problem.suite.cases
                if case.input.digest == given.digest and case.has_expected and case.evidence.truth
            ),
            *(
                (each.by, each.output)
                for each in self.truths
                if each.input == given.digest and each.evidence.truth and each.challenge != own
            ),
        ]
        args, outcome_of = args_of(given), trusted.runs.answers.stated
        return [
            Truth(args, outcome_of(output), by, is_example=by in examples) for by, output in stated
        ]


@dataclass
class _Resolution:
    """One attempt to settle a challenge, on one state of its problem."""

    base: _ProblemState
    matter: Matter
    pool: CellPool
    on_event: OnEvent | None
    healer: Healer | None
    before: Spending
    """What the model had cost before."""
    notes_before: Sequence[str]
    """What was noted about its replies before."""
    started_utc: datetime
    input: CompactInput = field(init=False)
    ballot: Ballot = field(default=Ballot(), init=False)
    decision: Decision = field(init=False)
    found: Consequences | None = None
    judged: dict[str, tuple[str, VerifyResult]] = field(default_factory=dict)
    """By solution: the engine, and its judgement on the new suite."""
    rejudged: tuple[Rejudged, ...] = ()
    judges: dict[str, tuple[SuiteJudge, SuiteJudge]] = field(default_factory=dict)
    stage: str = "running the stored solutions"
    share: float = 0.1

    def __post_init__(self) -> None:
        problem = self.base.problem
        self.validator = Validator.of(problem.spec)
        self.trusted = TrustedSolutions(problem, self.base.solutions, self.pool, self._running)
        self.answers = self.trusted.runs.answers

    def refused(self) -> ChallengeReport | None:
        """Return the report on a challenge that the gate refuses; nothing of it is stored.

        Raises:
            UsageError: if a claim is not of the right type, or a stored input is invalid meanwhile.
        """
        matter, problem = self.matter, self.base.problem
        broken = () if matter.rejects else self.validator.broken(matter.args)
        if broken and matter.stored:
            raise UsageError(
                f"the input breaks {broken[0]} of the current specification; reject the challenge"
            )
        if broken:
            return self._refusal(f"the input breaks {'; '.join(broken)}"[:_MOST_LINE], broken)
        self.input = as_compact(matter.args, matter.expression)
        claimed = None
        if matter.claim is not None and not matter.rejects:
            claimed = self.answers.stated(matter.claim[0])
        cases = problem.suite.cases
        known = next((case for case in cases if case.input.digest == self.input.digest), None)
        if matter.rejects or matter.stored or known is None:
            return None
        if claimed is None:
            return self._refusal(
                f"the suite has this input as {known.name}; claim another output, or give another "
                "input"
            )
        if known.has_expected and self.answers.alike(self.answers.stated(known.expected), claimed):
            return self._refusal(f"the suite has this input with this output as {known.name}")
        return None

    def decide(self) -> None:
        """Decide, and compute all consequences.

        Raises:
            SpecificationError: if the stored specification has a fault.
            InfrastructureError: if the machine failed.
        """
        matter, base = self.matter, self.base
        require_sound(base.problem.spec, pool=self.pool)
        truths = base.truths_of(self.trusted, self.input, matter.stored)
        if matter.rejects:
            self.decision = self._rejection(truths)
        else:
            self._step(self.stage, self.share)
            self.ballot = self.trusted.ballot(matter.args)
            self.decision = self._decision(truths)
        if self.decision.right is not None or self.decision.state == "disputed":
            self._follow()

    def _decision(self, truths: Sequence[Truth]) -> Decision:
        matter, claim = self.matter, None
        if matter.claim is not None:
            entitled = matter.judge != JUDGE
            by = matter.judge if entitled else matter.by
            outcome = self.answers.stated(matter.claim[0])
            claim = Claim(outcome, by, entitled, matter.final)
            example = next((each for each in truths if each.is_example), None)
            if matter.final and example and not self.answers.alike(example.outcome, outcome):
                raise UsageError(
                    f"{example.by} of the specification states "
                    f"{shown_value(example.outcome.value)}; correct the specification first"
                )
        return decide(self.answers, self.ballot, claim, truths, len(self.trusted.truths))

    def _rejection(self, truths: Sequence[Truth]) -> Decision:
        """Return the decision of a person who rejects: another truth, if there is one, is right."""
        matter = self.matter
        reason = matter.why or f"{matter.judge} rejects it"
        if not matter.final or not truths:
            return Decision("rejected", reason)
        self.ballot = self.trusted.ballot(matter.args)
        return Decision("rejected", reason, truths[0].outcome, truths[0].by)

    def _follow(self) -> None:
        self._step("searching a smaller input", 0.3)
        challenged = Challenged(
            number=self._number(),
            input=self.input,
            args=self.matter.args,
            has_claim=self.matter.claim is not None,
            ballot=self.ballot,
            decision=self.decision,
        )
        inputs, reach = inputs_of(self.base.problem.spec).smallest(_MOST_SMALLEST)
        smallest = Smallest(inputs=tuple(inputs), reach=reach)
        healer, spec = self.healer, self.base.problem.spec
        healing = None if healer is None else Healing(healer, spec, self.pool, self.on_event)
        self.found = consequences_of(
            challenged, self.trusted, self.validator, self._passing(), smallest, healing
        )
        self._step("judging submissions again", 0.7)
        self._judge_again(self.found)

    def _number(self) -> int:
        """Return the challenge's number among those of its problem."""
        digests = [each.challenge.digest for each in self.base.challenges]
        stored = self.matter.stored
        return digests.index(stored) + 1 if stored in digests else len(digests) + 1

    def _passing(self) -> list[StoredSolution]:
        """Return the submissions that pass the current suite."""
        passed = {
            each.judgement.solution for each in self.base.judged if each.judgement.result.passed
        }
        return [
            each
            for each in self.base.solutions
            if each.role == "submission" and each.digest in passed
        ]

    def _judge_again(self, found: Consequences) -> None:
        """Judge every judged program on the new suite; only new and changed cases run."""
        problem = self.base.problem
        new = CurrentProblem(problem.name, problem.spec, found.suite, problem.version)
        if new.suite == problem.suite:
            return
        former = {each.judgement.solution: each.judgement for each in self.base.judged}
        rejudged = []
        for solution in self.base.solutions:
            judgement = former.get(solution.digest)
            if judgement is None and solution.digest not in self.base.outdated:
                continue
            try:
                before, after = self._judges(solution.language, new)
            except (TestsError, LanguageError):
                continue  # no case has an output, or no compiler is installed: it stays outdated
            if judgement is not None and judgement.engine == after.engine:
                known = before.by_case(judgement.result)
                result = after.judge_again(solution.source, judgement.result, known)
            else:
                result = after.judge(solution.source)
            self.judged[solution.digest] = after.engine, result
            if judgement is not None:
                rejudged.append(
                    Rejudged(
                        solution=solution.digest,
                        passed_before=judgement.result.passed,
                        passed=result.passed,
                    )
                )
        self.rejudged = tuple(rejudged)

    def _judges(self, language: str, new: CurrentProblem) -> tuple[SuiteJudge, SuiteJudge]:
        """Return the judges of a language on the current suite and on the new one."""
        if language not in self.judges:
            self.judges[language] = (
                SuiteJudge(self.base.problem, self.pool, language),
                SuiteJudge(new, self.pool, language),
            )
        return self.judges[language]

    def store(self, change: "Change") -> tuple[str, int | None]:
        """Store the challenge with its consequences.

        Returns:
            The challenge's digest, and the suite's new version if there is one.

        Raises:
            UsageError, DatabaseError: if something does not fit; the transaction must end then.
        """
        matter, problem, decision = self.matter, self.base.problem, self.decision
        digest = matter.stored
        if not digest:
            digest = change.open_challenge(
                problem.name,
                self.input,
                reason=matter.reason,
                by=matter.by,
                claim=matter.claim,
                owner=matter.owner,
            ).digest
        self._store_truths(change, digest)
        number, suite = None, None
        if self.found is not None and self.found.suite != problem.suite:
            why = f"challenge {digest[:12]}: {matter.reason}"[:_MOST_LINE]
            version = change.add_suite(
                problem.name, self.found.suite, reason=why, after=problem.version.number
            )
            number, suite = version.number, version.suite
            for solution, (engine, result) in self.judged.items():
                change.add_judgement(solution, suite, engine, result)
        self._store_reference(change, digest)
        self._store_run(change, digest)
        state, why = decision.state, matter.why or decision.reason
        if not matter.stored or state != change.challenge(digest).state:
            change.move_challenge(
                digest, state, by=matter.judge, reason=why[:_MOST_LINE], suite=suite
            )
        return digest, number

    def _store_truths(self, change: "Change", challenge: str) -> None:
        """Store what is stated about the output: every side, if they contradict each other."""
        matter, decision = self.matter, self.decision
        problem, given = self.base.problem.name, self.input.digest
        if decision.state not in ("accepted", "disputed"):
            return
        if matter.claim is not None:
            by = matter.judge if matter.judge != JUDGE else matter.by
            evidence = OutputEvidence(
                independent=self.ballot.voices,
                truth=decision.truth if decision.state == "accepted" else "user",
            )
            change.add_truth(
                problem, given, matter.claim[0], by=by, evidence=evidence, challenge=challenge
            )
        elif decision.state == "disputed":
            for side in self.ballot.sides:
                evidence = OutputEvidence(independent=self.ballot.voices, agree=len(side.names))
                if side.outcome.answered:
                    change.add_truth(
                        problem,
                        given,
                        side.outcome.value,
                        by=" and ".join(side.names)[:200],
                        evidence=evidence,
                        challenge=challenge,
                    )

    def _store_reference(self, change: "Change", challenge: str) -> None:
        if self.found is None or self.found.reference is None:
            return
        reference, problem = self.found.reference, self.base.problem.name
        subject = reference.solution
        if self.found.replacement is not None:
            subject = change.add_solution(self.found.replacement)
        change.add_event(
            f"reference.{reference.state}",
            problem,
            subject,
            challenge=challenge,
            before=reference.solution,
        )

    def _store_run(self, change: "Change", challenge: str) -> None:
        """Store what the model that repairs was asked, if it was."""
        spent = self.spending
        if self.healer is not None and (spent.calls or spent.cached_calls):
            name = f"challenge {challenge[:12]} {self.started_utc:%Y-%m-%dT%H:%M:%SZ}"
            change.add_run(
                name,
                "challenge",
                self.decision.state,
                self.started_utc,
                problem=self.base.problem.name,
                models=(self.healer.model[:_MOST_NAME],),
                spending=spent,
                notes=[each[:_MOST_LINE] for each in self._notes()],
            )

    @property
    def spending(self) -> Spending:
        """The cost of the model that repairs."""
        return Spending() if self.healer is None else self.healer.spent_since(self.before)

    def report(self, digest: str, version: int | None, seconds: float) -> ChallengeReport:
        """Return the report on a challenge that is stored."""
        found, right = self.found, self.decision.right
        return ChallengeReport(
            problem=self.base.problem.name,
            challenge=digest,
            state=self.decision.state,
            reason=self.decision.reason,
            call=shown_call(self.matter.args),
            shrunk=shown_call(found.shrunk) if found and found.shrunk is not None else "",
            expected=right.value if right else None,
            has_expected=right is not None,
            readings=self.ballot.split(self.matter.args).readings,
            suite_version=version,
            cases_changed=found.cases_changed if found else 0,
            reference=found.reference if found else None,
            rejudged=self.rejudged,
            spending=self.spending,
            notes=tuple(self._notes()),
            seconds=seconds,
            isolation=self.pool.isolation,
        )

    def _notes(self) -> Iterator[str]:
        yield from (
            f"{name} has no vote: {why}"[:_MOST_LINE]
            for name, why in self.trusted.voting.without_vote.items()
        )
        yield from self.found.notes if self.found else ()
        notes = self.healer.run.notes if self.healer else ()
        yield from (each for each in notes if each not in self.notes_before)

    def _refusal(self, reason: str, broken: Sequence[str] = ()) -> ChallengeReport:
        return ChallengeReport(
            problem=self.base.problem.name,
            state="rejected",
            reason=reason,
            broken=tuple(broken),
            call=shown_call(self.matter.args),
        )

    def _step(self, stage: str, share: float, message: str = "") -> None:
        self.stage, self.share = stage, share
        if self.on_event is not None:
            self.on_event(Event(job="author", stage=stage, share=share, message=message))

    def _running(self, name: str, count: int) -> None:
        self._step(self.stage, self.share, f"{name} on {counted(count, 'input')}")
