"""Read records. Each is checked against its digest."""

import re
from collections.abc import Sequence
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, ScalarSelect, Select, Table, and_, func, select

from steelyard.errors import UsageError
from steelyard.schemas import (
    AuthoredCase,
    AuthoredSuite,
    ChallengeHistory,
    ChallengeState,
    CompactInput,
    JudgedSolution,
    Record,
    SolutionRole,
    Specification,
    SpecVersion,
    StoredEvent,
    StoredJudgement,
    StoredProblem,
    StoredRun,
    StoredSolution,
    StoredStrength,
    StoredSubmission,
    StoredSuite,
    StoredTruth,
    SuiteVersion,
)
from steelyard.storage import _kinds as kinds
from steelyard.storage import _tables as tables
from steelyard.storage._kinds import Kind, record_of

R = TypeVar("R", bound=Record)
BATCH = 500
_SHORTEST = 4
_PREFIX = re.compile(rf"[0-9a-f]{{{_SHORTEST},64}}")


class Reader:
    """Reads in one transaction, of `Database.read`.

    Problems are found by name, other records by digest or the first characters of one.
    Every method raises `UsageError` if what it is asked for is not stored, and `DatabaseError` if
    it is damaged.
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def problems(self) -> tuple[StoredProblem, ...]:
        """Return all problems, by name."""
        return self._all(kinds.PROBLEM)

    def problem(self, name: str) -> StoredProblem:
        """Return a problem."""
        found = self._any(kinds.PROBLEM, tables.problems.c.name == name)
        if found is None:
            some = self.connection.scalars(select(tables.problems.c.name).limit(5)).all()
            known = f"it holds {', '.join(sorted(some))}" if some else "it holds no problems"
            raise UsageError(f"the database has no problem {name!r}; {known}")
        return found

    def spec(self, digest: str) -> Specification:
        """Return a specification."""
        return self._one(kinds.SPEC, digest)

    def spec_versions(self, problem: str) -> tuple[SpecVersion, ...]:
        """Return the versions of a problem's specification; the last one is the current one."""
        self.problem(problem)
        return self._all(kinds.SPEC_VERSION, tables.spec_versions.c.problem == problem)

    def spec_of(self, problem: str) -> Specification:
        """Return the current specification of a problem."""
        versions = self.spec_versions(problem)
        if not versions:
            raise UsageError(f"problem {problem} has no specification; store one first")
        return self.spec(versions[-1].spec)

    def suite(self, digest: str) -> AuthoredSuite:
        """Return a suite with all its cases and inputs."""
        stored = self._one(kinds.SUITE, digest)
        rows = self.connection.execute(
            select(
                tables.cases.c.digest,
                tables.cases.c.body,
                tables.inputs.c.digest,
                tables.inputs.c.body,
            )
            .select_from(
                tables.suites.join(tables.suite_cases).join(tables.cases).join(tables.inputs)
            )
            .where(tables.suites.c.digest == stored.digest)
            .order_by(tables.suite_cases.c.position)
        )
        return AuthoredSuite(
            spec_digest=stored.spec,
            time_limit_ms=stored.time_limit_ms,
            cases=tuple(
                AuthoredCase.of_valid(
                    **dict(record_of(kinds.CASE, digest, body))
                    | {"input": record_of(kinds.INPUT, input_digest, input_body)}
                )
                for digest, body, input_digest, input_body in rows
            ),
        )

    def stored_suite(self, digest: str) -> StoredSuite:
        """Return a suite with the digests of its cases."""
        return self._one(kinds.SUITE, digest)

    def suite_versions(self, problem: str) -> tuple[SuiteVersion, ...]:
        """Return the versions of a problem's suite; the last one is the current one."""
        self.problem(problem)
        return self._all(kinds.SUITE_VERSION, tables.suite_versions.c.problem == problem)

    def version_of(self, suite: str) -> SuiteVersion:
        """Return the newest version with this suite."""
        found = self._all(kinds.SUITE_VERSION, tables.suite_versions.c.suite == suite)
        if not found:
            raise UsageError(f"no problem has the suite {suite[:12]}; check its digest")
        return found[-1]

    def suite_of(self, problem: str) -> AuthoredSuite:
        """Return the current suite of a problem."""
        versions = self.suite_versions(problem)
        if not versions:
            raise UsageError(f"problem {problem} has no suite; store one first")
        return self.suite(versions[-1].suite)

    def input(self, digest: str) -> CompactInput:
        """Return an input by `CompactInput.digest`."""
        found = self._any(kinds.INPUT, tables.inputs.c.input == digest)
        if found is None:
            raise UsageError(f"the database has no input {digest[:12]}; store it with a case first")
        return found

    def solution(self, digest: str) -> StoredSolution:
        """Return a solution."""
        return self._one(kinds.SOLUTION, digest)

    def solutions(
        self, problem: str, role: SolutionRole | None = None
    ) -> tuple[StoredSolution, ...]:
        """Return the solutions of a problem, those of one role if it is given."""
        self.problem(problem)
        table = tables.solutions.c
        where = [table.problem == problem, *([table.role == role] if role else [])]
        return self._all(kinds.SOLUTION, *where)

    def judgements(
        self, problem: str, *, solution: str | None = None, suite: str | None = None
    ) -> tuple[JudgedSolution, ...]:
        """Return the judgements of a problem's solutions, the oldest first."""
        self.problem(problem)
        table, own = tables.judgements.c, tables.solutions.c
        where = [own.problem == problem]
        where += [table.solution == solution] if solution else []
        where += [table.suite == suite] if suite else []
        rows = self.connection.execute(judgement_rows(table.body).where(*where))
        return tuple(
            JudgedSolution(
                judgement=record_of(kinds.JUDGEMENT, row.digest, row.body),
                outdated=bool(row.outdated),
            )
            for row in rows
        )

    def outdated(self, problem: str | None = None) -> tuple[StoredJudgement, ...]:
        """Return the judgements to repeat on the problem's current suite.

        That is the newest judgement of each solution by each engine, if none of that engine is on
        a suite with the same tests as the current one.
        """
        where = [tables.solutions.c.problem == problem] if problem else []
        newest: dict[tuple[str, str], Any] = {}
        for row in self.connection.execute(judgement_rows().where(*where)):
            key = (row.solution, row.engine)
            if newest.get(key) is None or newest[key].outdated:
                newest[key] = row
        return tuple(
            self._one(kinds.JUDGEMENT, row.digest) for row in newest.values() if row.outdated
        )

    def strengths(self, suite: str) -> tuple[StoredStrength, ...]:
        """Return the certificates of a suite, the oldest first."""
        return self._all(kinds.STRENGTH, tables.strengths.c.suite == suite)

    def challenge(self, digest: str) -> ChallengeHistory:
        """Return a challenge with its steps."""
        challenge = self._one(kinds.CHALLENGE, digest)
        steps = self._all(kinds.STEP, tables.challenge_steps.c.challenge == challenge.digest)
        return ChallengeHistory(challenge=challenge, steps=steps)

    def challenges(
        self, problem: str | None = None, state: ChallengeState | None = None
    ) -> tuple[ChallengeHistory, ...]:
        """Return challenges, the oldest first: of one problem, in one state, or all."""
        where = [tables.challenges.c.problem == problem] if problem else []
        rows = self.connection.scalars(
            select(tables.challenges.c.digest)
            .where(*where)
            .order_by(tables.challenges.c.created, tables.challenges.c.digest)
        ).all()
        found = map(self.challenge, rows)
        return tuple(each for each in found if state in (None, each.state))

    def truths(self, problem: str, input: str | None = None) -> tuple[StoredTruth, ...]:  # noqa: A002
        """Return what is stated about outputs, the oldest first; for one input if it is given."""
        table = tables.truths.c
        where = [table.problem == problem, *([table.input == input] if input else [])]
        return self._all(kinds.TRUTH, *where)

    def submission(self, digest: str) -> StoredSubmission:
        """Return a submission."""
        return self._one(kinds.SUBMISSION, digest)

    def submissions(self, problem: str) -> tuple[StoredSubmission, ...]:
        """Return the submissions for a problem, the oldest first."""
        self.problem(problem)
        return self._all(kinds.SUBMISSION, tables.submissions.c.problem == problem)

    def owner_of(self, record: str) -> str:
        """Return the account that a submission or a challenge belongs to, by its whole digest.

        It is empty if the record is the administrator's.
        """
        found = self._any(kinds.OWNER, tables.owners.c.record == record)
        return "" if found is None else found.owner

    def runs(self, name: str | None = None) -> tuple[StoredRun, ...]:
        """Return the runs that have ended, the oldest first; those of one name if it is given."""
        return self._all(kinds.RUN, *([tables.runs.c.name == name] if name else []))

    def events(self, problem: str | None = None, *, most: int = 1_000) -> tuple[StoredEvent, ...]:
        """Return the newest events of the log, the oldest of them first.

        Args:
            problem: The name of the problem that they are about; None for all.
            most: The number of events.
        """
        table = tables.events
        where = [table.c.problem == problem] if problem else []
        newest = (
            select(table.c.digest)
            .where(*where)
            .order_by(table.c.created.desc(), table.c.digest.desc())
            .limit(most)
        )
        return self._all(kinds.EVENT, table.c.digest.in_(newest))

    def cases_of(self, suite: str) -> Sequence[str]:
        """Return the digests of a suite's cases, in order."""
        return self.connection.scalars(
            select(tables.cases.c.digest)
            .select_from(tables.suites.join(tables.suite_cases).join(tables.cases))
            .where(tables.suites.c.digest == suite)
            .order_by(tables.suite_cases.c.position)
        ).all()

    def _all(self, kind: Kind[R], *where: ColumnElement[bool]) -> tuple[R, ...]:
        table = kind.table
        rows = self.connection.execute(
            select(table.c.digest, table.c.body)
            .where(*where)
            .order_by(*(table.c[name] for name in kind.order))
        )
        return tuple(record_of(kind, digest, body) for digest, body in rows)

    def _any(self, kind: Kind[R], *where: ColumnElement[bool]) -> R | None:
        return next(iter(self._all(kind, *where)), None)

    def _one(self, kind: Kind[R], digest: str) -> R:
        """Return the record whose digest begins with these characters."""
        table = kind.table
        if not _PREFIX.fullmatch(digest):
            raise UsageError(
                f"{digest!r} is not a digest; give at least {_SHORTEST} of its hexadecimal digits"
            )
        rows = self.connection.execute(
            select(table.c.digest, table.c.body)
            .where(table.c.digest >= digest, table.c.digest < f"{digest}g")
            .limit(2)
        ).all()
        if not rows:
            raise UsageError(f"the database has no {kind.name} {digest}; check its digest")
        if len(rows) > 1:
            raise UsageError(
                f"several digests of a {kind.name} begin with {digest}; give more of it"
            )
        found, body = rows[0]
        return record_of(kind, found, body, self.cases_of(found) if kind is kinds.SUITE else ())


def judgement_rows(*columns: ColumnElement[Any]) -> Select[Any]:
    """Return the judgements, the oldest first, each with a column `outdated`."""
    table, version = tables.judgements.c, tables.suite_versions.c
    judged, current = tables.suites.alias(), tables.suites.alias()
    return (
        select(
            table.digest,
            table.solution,
            table.engine,
            (judged.c.tests != current.c.tests).label("outdated"),
            *columns,
        )
        .join(tables.solutions, tables.solutions.c.digest == table.solution)
        .join(judged, judged.c.digest == table.suite)
        .join(
            tables.suite_versions,
            and_(
                version.problem == tables.solutions.c.problem,
                version.number == newest_number(tables.suite_versions, tables.solutions.c.problem),
            ),
        )
        .join(current, current.c.digest == version.suite)
        .order_by(table.created, table.digest)
    )


def newest_number(versions: Table, problem: ColumnElement[str]) -> ScalarSelect[int]:
    """Return the number of a problem's current version, as a part of a query."""
    own = versions.alias().c
    return select(func.max(own.number)).where(own.problem == problem).scalar_subquery()
