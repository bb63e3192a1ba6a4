"""Store records, and with each of them an event. What is stored stays as it is."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final, TypeVar

from pydantic import JsonValue

from steelyard.errors import UsageError
from steelyard.schemas import (
    AuthoredSuite,
    ChallengeState,
    ChallengeStep,
    CompactInput,
    OutputEvidence,
    Specification,
    SpecVersion,
    Spending,
    StoredChallenge,
    StoredJudgement,
    StoredOwner,
    StoredProblem,
    StoredRun,
    StoredSolution,
    StoredStrength,
    StoredSubmission,
    StoredTruth,
    StrengthReport,
    SuiteVersion,
    VerifyResult,
)
from steelyard.storage import _kinds as kinds
from steelyard.storage import _tables as tables
from steelyard.storage._kinds import Kind
from steelyard.storage._writing import RowWriter, now

R = TypeVar(
    "R",
    StoredChallenge,
    StoredJudgement,
    StoredRun,
    StoredStrength,
    StoredSubmission,
    StoredTruth,
)

NEXT_STATES: Final[Mapping[ChallengeState, frozenset[ChallengeState]]] = {
    "open": frozenset({"quarantined", "accepted", "rejected", "disputed"}),
    "quarantined": frozenset({"accepted", "rejected", "disputed"}),
    "accepted": frozenset({"disputed"}),
    "disputed": frozenset({"accepted", "rejected"}),
    "rejected": frozenset(),
}
"""The states that can follow each state. The first one is `open`."""


class Change(RowWriter):
    """Changes in one transaction, of `Database.change`.

    Every method raises `UsageError` if what it is given does not fit what is stored, and
    `DatabaseError` if that is damaged. Such an error must leave the block: then nothing is stored.
    """

    def store_problem(
        self,
        name: str,
        spec: Specification,
        suite: AuthoredSuite | None = None,
        solutions: Iterable[StoredSolution] = (),
        *,
        reason: str = "",
    ) -> StoredProblem:
        """Store a problem, or new versions of one, with solutions."""
        problem = self.add_problem(name)
        self.add_spec(name, spec, reason=reason)
        if suite is not None:
            self.add_suite(name, suite, reason=reason)
        for solution in solutions:
            self.add_solution(solution)
        return problem

    def add_problem(self, name: str) -> StoredProblem:
        """Return the problem with this name; it is stored if there is none."""
        found = self._any(kinds.PROBLEM, tables.problems.c.name == name)
        if found is None:
            found = StoredProblem(name=name, created_utc=now())
            self.put(kinds.PROBLEM, found)
            self.add_event("problem.added", name)
        return found

    def add_spec(
        self, problem: str, spec: Specification, *, reason: str = "", after: int | None = None
    ) -> SpecVersion:
        """Make a specification the current one; the version is new only if it differs.

        Args:
            problem: The problem's name.
            spec: The specification.
            reason: Why it changes.
            after: The version that must be current, 0 for none.
        """
        versions = self.spec_versions(problem)
        _check_current(problem, "specification", len(versions), after)
        if versions and versions[-1].spec == spec.digest:
            return versions[-1]
        self.put(kinds.SPEC, spec)
        version = SpecVersion(
            problem=problem,
            number=len(versions) + 1,
            spec=spec.digest,
            reason=reason,
            created_utc=now(),
        )
        self.put(kinds.SPEC_VERSION, version)
        self.add_event("spec.added", problem, spec.digest, number=version.number)
        return version

    def add_suite(
        self, problem: str, suite: AuthoredSuite, *, reason: str = "", after: int | None = None
    ) -> SuiteVersion:
        """Make a suite the current one; the version is new only if it differs.

        Args:
            problem: The problem's name.
            suite: The suite, of a specification that is stored.
            reason: Why it changes, such as the challenge that was accepted.
            after: The version that must be current, 0 for none.
        """
        versions = self.suite_versions(problem)
        _check_current(problem, "suite", len(versions), after)
        stored = self.put_cases(suite)
        if versions and versions[-1].suite == stored.digest:
            return versions[-1]
        version = SuiteVersion(
            problem=problem,
            number=len(versions) + 1,
            suite=stored.digest,
            reason=reason,
            created_utc=now(),
        )
        self.put(kinds.SUITE_VERSION, version)
        self.add_event(
            "suite.added", problem, stored.digest, number=version.number, cases=len(suite.cases)
        )
        return version

    def add_solution(self, solution: StoredSolution) -> str:
        """Store a solution if it is new, and return its digest."""
        self.problem(solution.problem)
        if self.put(kinds.SOLUTION, solution):
            self.add_event("solution.added", solution.problem, solution.digest, role=solution.role)
        return solution.digest

    def add_judgement(
        self, solution: str, suite: str, engine: str, result: VerifyResult
    ) -> StoredJudgement:
        """Store a judgement, or return the one of this solution, suite and engine.

        Args:
            solution: `StoredSolution.digest`.
            suite: `SuiteVersion.suite`.
            engine: What judged: a name and version, and whatever else changes verdicts.
            result: The verdicts.
        """
        table = tables.judgements.c
        key = (table.solution == solution, table.suite == suite, table.engine == engine)
        found = self._any(kinds.JUDGEMENT, *key)
        if found is None:
            found = StoredJudgement(
                solution=solution, suite=suite, engine=engine, result=result, created_utc=now()
            )
            problem = self.solution(solution).problem
            self._store(kinds.JUDGEMENT, found, "judgement.added", problem, passed=result.passed)
        return found

    def add_strength(
        self, suite: str, solution: str, mutators: str, report: StrengthReport
    ) -> StoredStrength:
        """Store a certificate, or return the one of this suite, solution and mutators.

        Args:
            suite: `SuiteVersion.suite`.
            solution: `StoredSolution.digest` of the solution that was mutated.
            mutators: The version of the mutation operators.
            report: The certificate.
        """
        table = tables.strengths.c
        key = (table.suite == suite, table.solution == solution, table.mutators == mutators)
        found = self._any(kinds.STRENGTH, *key)
        if found is None:
            found = StoredStrength(
                suite=suite,
                solution=solution,
                mutators=mutators,
                report=report,
                created_utc=now(),
            )
            problem = self.solution(solution).problem
            self._store(kinds.STRENGTH, found, "strength.added", problem)
        return found

    def add_submission(
        self, solution: StoredSolution, by: str, *, owner: str = ""
    ) -> StoredSubmission:
        """Store what somebody submits: a solution with the role `submission`.

        Args:
            solution: The program.
            by: The name of who submits it, for people.
            owner: The account that it belongs to; empty for the administrator.
        """
        submission = StoredSubmission(
            problem=solution.problem,
            solution=self.add_solution(solution),
            by=by,
            created_utc=now(),
        )
        self._own(submission, owner)
        return self._store(kinds.SUBMISSION, submission, "submission.added", solution.problem)

    def open_challenge(
        self,
        problem: str,
        input: CompactInput,  # noqa: A002
        *,
        reason: str,
        by: str,
        claim: tuple[JsonValue] | None = None,
        owner: str = "",
    ) -> StoredChallenge:
        """Store a challenge of the current suite, in the state `open`.

        Args:
            problem: The problem's name.
            input: The arguments that it is about.
            reason: Its author's explanation.
            by: The name of its author, for people.
            claim: The output that is claimed to be right, as the only item of a tuple.
            owner: The account that it belongs to; empty for the administrator.
        """
        versions = self.suite_versions(problem)
        if not versions:
            raise UsageError(f"problem {problem} has no suite to challenge; store one first")
        self.put_inputs([input])
        challenge = StoredChallenge(
            problem=problem,
            suite=versions[-1].suite,
            input=input.digest,
            reason=reason,
            by=by,
            claim=claim[0] if claim else None,
            has_claim=claim is not None,
            created_utc=now(),
        )
        self._store(kinds.CHALLENGE, challenge, "challenge.opened", problem)
        self._own(challenge, owner)
        self._step(challenge.digest, 1, "open", by, reason, None)
        return challenge

    def move_challenge(
        self,
        challenge: str,
        state: ChallengeState,
        *,
        by: str,
        reason: str = "",
        suite: str | None = None,
    ) -> ChallengeStep:
        """Take a challenge to another state.

        Args:
            challenge: The challenge's digest.
            state: The new state.
            by: Who or what decides.
            reason: Why.
            suite: `SuiteVersion.suite` of the suite that has its case.
        """
        history = self.challenge(challenge)
        if state not in NEXT_STATES[history.state]:
            allowed = ", ".join(sorted(NEXT_STATES[history.state])) or "nothing"
            raise UsageError(
                f"challenge {challenge[:12]} is {history.state} and cannot become {state}; "
                f"what can follow: {allowed}"
            )
        digest = history.challenge.digest
        step = self._step(digest, len(history.steps) + 1, state, by, reason, suite)
        self.add_event(f"challenge.{state}", history.challenge.problem, digest, by=by)
        return step

    def add_truth(
        self,
        problem: str,
        input: str,  # noqa: A002
        output: JsonValue,
        *,
        by: str,
        evidence: OutputEvidence | None = None,
        challenge: str | None = None,
    ) -> StoredTruth:
        """Store an output that is stated for an input; others for the same input stay.

        Args:
            problem: The problem's name.
            input: `CompactInput.digest` of an input that is stored.
            output: The output.
            by: Who or what states it.
            evidence: What speaks for it.
            challenge: The digest of the challenge that it comes from.
        """
        truth = StoredTruth(
            problem=problem,
            input=input,
            output=output,
            by=by,
            challenge=challenge,
            evidence=evidence or OutputEvidence(),
            created_utc=now(),
        )
        return self._store(kinds.TRUTH, truth, "truth.added", problem, by=by)

    def add_run(
        self,
        name: str,
        job: str,
        status: str,
        started_utc: datetime,
        *,
        problem: str | None = None,
        models: Sequence[str] = (),
        spending: Spending | None = None,
        notes: Sequence[str] = (),
    ) -> StoredRun:
        """Store a run that has ended.

        Args:
            name: The run's own name; a run that is resumed keeps it.
            job: Such as `author`.
            status: How it ended.
            started_utc: When it started.
            problem: The name of the problem that it made or worked on.
            models: The models that it asked.
            spending: Their calls, tokens and cost.
            notes: Notes for the reader, one line each.
        """
        run = StoredRun(
            name=name,
            job=job,
            status=status,
            problem=problem,
            models=tuple(models),
            spending=spending or Spending(),
            notes=tuple(notes),
            started_utc=started_utc,
            created_utc=now(),
        )
        return self._store(kinds.RUN, run, "run.ended", problem, job=job, status=status)

    def _store(
        self, kind: Kind[R], record: R, event: str, problem: str | None, **payload: JsonValue
    ) -> R:
        """Store a record with its event, and return it."""
        self.put(kind, record)
        self.add_event(event, problem, record.digest, **payload)
        return record

    def _own(self, record: StoredSubmission | StoredChallenge, owner: str) -> None:
        if owner:
            stored = StoredOwner(record=record.digest, owner=owner, created_utc=record.created_utc)
            self.put(kinds.OWNER, stored)

    def _step(
        self,
        challenge: str,
        number: int,
        state: ChallengeState,
        by: str,
        reason: str,
        suite: str | None,
    ) -> ChallengeStep:
        step = ChallengeStep(
            challenge=challenge,
            number=number,
            state=state,
            by=by,
            reason=reason,
            suite=suite,
            created_utc=now(),
        )
        self.put(kinds.STEP, step)
        return step


def _check_current(problem: str, what: str, current: int, after: int | None) -> None:
    if after is not None and after != current:
        raise UsageError(
            f"problem {problem} has version {current} of its {what}, and the change is based on "
            f"version {after}; repeat it with the current one"
        )
