"""Read lists page by page. A page starts after the last item of the page before."""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, or_, select, tuple_

from steelyard.schemas import (
    ChallengeHistory,
    ChallengeState,
    JudgedSubmission,
    ProblemSummary,
    Share,
    SuiteVersion,
)
from steelyard.storage import _kinds as kinds
from steelyard.storage import _tables as tables
from steelyard.storage._kinds import record_of
from steelyard.storage._reading import Reader, judgement_rows, newest_number

Where = list[ColumnElement[bool]]
_FEW = 500


def problem_page(
    reader: Reader, *, search: str = "", tags: Sequence[str] = (), after: str = "", most: int = 50
) -> tuple[ProblemSummary, ...]:
    """Return problems, by name.

    Args:
        reader: Of the database.
        search: Words in any case. The name contains all of them, or the title and tags do.
        tags: Tags that the problem has, in any case.
        after: The last name of the page before.
        most: The number of problems.
    """
    problem, spec = tables.problems.c, tables.spec_versions.c.spec
    where: Where = [problem.name > after]
    words = search.casefold().split()
    if words:
        name = func.lower(problem.name)
        named = and_(*(name.contains(word, autoescape=True) for word in words))
        found = _specs_with(words)
        where.append(or_(named, spec.in_(found)))
        few = _few_with(reader, found)
        if few is not None:
            where.append(problem.name.in_(few.union(select(problem.name).where(named))))
    if tags:
        lines = (" ".join(tag.casefold().split()) for tag in tags)
        found = _specs_with([f"\n{line}\n" for line in lines])
        where.append(spec.in_(found))
        few = _few_with(reader, found)
        if few is not None:
            where.append(problem.name.in_(few))
    return _summaries(reader, where, most)


def problem_summary(reader: Reader, name: str) -> ProblemSummary:
    """Return what a list shows of one problem.

    Raises:
        UsageError: if there is no such problem.
    """
    reader.problem(name)
    (summary,) = _summaries(reader, [tables.problems.c.name == name], 1)
    return summary


def suite_page(
    reader: Reader, *, problem: str | None = None, after: tuple[str, int] = ("", 0), most: int = 50
) -> tuple[SuiteVersion, ...]:
    """Return versions of suites, by problem and number.

    Args:
        reader: Of the database.
        problem: The name of a problem; None for all.
        after: The problem and the number of the last version of the page before.
        most: The number of versions.
    """
    version = tables.suite_versions.c
    where: Where = [tuple_(version.problem, version.number) > tuple_(*after)]
    where += [version.problem == problem] if problem else []
    rows = reader.connection.execute(
        select(version.digest, version.body)
        .where(*where)
        .order_by(version.problem, version.number)
        .limit(most)
    )
    return tuple(record_of(kinds.SUITE_VERSION, *row) for row in rows)


def submission_page(
    reader: Reader,
    *,
    problem: str | None = None,
    by: str | None = None,
    owner: str | None = None,
    only: str | None = None,
    after: tuple[str, str] | None = None,
    most: int | None = 50,
) -> tuple[JudgedSubmission, ...]:
    """Return submissions with their newest judgements, the newest first.

    Args:
        reader: Of the database.
        problem: The name of a problem; None for all.
        by: The name of who submitted, for people; None for everybody.
        owner: The account that they belong to; None for all.
        only: The digest of a submission; None for all.
        after: The time and the digest of the last submission of the page before.
        most: The number of submissions; None for all.
    """
    own = tables.submissions.c
    where: Where = [own.problem == problem] if problem else []
    where += [own.author == by] if by is not None else []
    where += [own.digest == only] if only else []
    rows = reader.connection.execute(
        _newest_first(select(own.digest, own.body, tables.owners.c.owner), own, owner, after)
        .where(*where)
        .limit(most)
    )
    found = [(record_of(kinds.SUBMISSION, *row[:2]), row[2] or "") for row in rows]
    judged = _judgements(reader, [each.solution for each, _ in found])
    return tuple(
        JudgedSubmission(submission=each, owner=whose, **judged.get(each.solution, {}))
        for each, whose in found
    )


def challenge_page(
    reader: Reader,
    *,
    problem: str | None = None,
    state: ChallengeState | None = None,
    owner: str | None = None,
    after: tuple[str, str] | None = None,
    most: int = 50,
) -> tuple[ChallengeHistory, ...]:
    """Return challenges, the newest first.

    Args:
        reader: Of the database.
        problem: The name of a problem; None for all.
        state: The current state; None for any.
        owner: The account that they belong to; None for all.
        after: The time and the digest of the last challenge of the page before.
        most: The number of challenges.
    """
    own, step = tables.challenges.c, tables.challenge_steps
    where: Where = [own.problem == problem] if problem else []
    if state:
        other = step.alias().c
        newest = select(func.max(other.number)).where(other.challenge == own.digest)
        current = select(step.c.state).where(
            step.c.challenge == own.digest, step.c.number == newest.scalar_subquery()
        )
        where.append(current.scalar_subquery() == state)
    digests = reader.connection.scalars(
        _newest_first(select(own.digest), own, owner, after).where(*where).limit(most)
    ).all()
    return tuple(map(reader.challenge, digests))


def _newest_first(
    query: Select[Any], own: Any, owner: str | None, after: tuple[str, str] | None
) -> Select[Any]:
    """Return a query for the records of one owner, or of all, with the newest first."""
    owned = tables.owners.c
    query = query.select_from(own.digest.table).join(
        tables.owners, owned.record == own.digest, isouter=owner is None
    )
    keys = [own.created, own.digest] if owner is None else [owned.created, owned.record]
    if owner is not None:
        query = query.where(owned.owner == owner)
    if after:
        query = query.where(tuple_(*keys) < tuple_(*after))
    return query.order_by(*(each.desc() for each in keys))


def _specs_with(texts: Sequence[str]) -> Select[tuple[str]]:
    """Return the digests of the specifications that are found by all of these texts."""
    own = tables.specs.c
    return select(own.digest).where(*(own.words.contains(each, autoescape=True) for each in texts))


def _few_with(reader: Reader, specs: Select[tuple[str]]) -> Select[tuple[str]] | None:
    """Return the problems that had one of these specifications in any version; None if many had.

    Few problems are looked up at once. Of many, the first ones of a page are found soon by name.
    """
    found = reader.connection.scalars(specs.limit(_FEW + 1)).all()
    if len(found) > _FEW:
        return None
    version = tables.spec_versions.alias().c
    return select(version.problem).where(version.spec.in_(found))


def _summaries(reader: Reader, where: Where, most: int) -> tuple[ProblemSummary, ...]:
    problem, version, spec = tables.problems.c, tables.spec_versions.c, tables.specs.c
    current = version.number == newest_number(tables.spec_versions, problem.name)
    rows = reader.connection.execute(
        select(problem.name, version.number, spec.title, spec.tags)
        .select_from(tables.problems)
        .outerjoin(tables.spec_versions, and_(version.problem == problem.name, current))
        .outerjoin(tables.specs, spec.digest == version.spec)
        .where(*where)
        .order_by(problem.name)
        .limit(most)
    ).all()
    suites = _suites(reader, [row.name for row in rows])
    return tuple(
        ProblemSummary.model_validate(
            {
                "name": row.name,
                "title": row.title or "",
                "tags": json.loads(row.tags or "[]"),
                "spec_version": row.number or 0,
                **suites.get(row.name, {}),
            }
        )
        for row in rows
    )


def _suites(reader: Reader, problems: Sequence[str]) -> dict[str, dict[str, object]]:
    """Return what a summary has of the current suites of problems."""
    version, suite, case = tables.suite_versions.c, tables.suites.c, tables.suite_cases.c
    last = select(func.max(case.position)).where(case.suite_id == suite.id).scalar_subquery()
    rows = reader.connection.execute(
        select(version.problem, version.number, version.suite, last.label("last"))
        .join(tables.suites, suite.digest == version.suite)
        .where(
            version.problem.in_(problems),
            version.number == newest_number(tables.suite_versions, version.problem),
        )
    ).all()
    strength = tables.strengths.c
    measured = reader.connection.execute(
        select(strength.suite, strength.mutants, strength.killed)
        .where(strength.suite.in_([row.suite for row in rows]), strength.mutants.is_not(None))
        .order_by(strength.created, strength.digest)
    )
    shares = {row.suite: Share(count=row.killed, of=row.mutants) for row in measured}
    return {
        row.problem: {
            "suite_version": row.number,
            "cases": 0 if row.last is None else row.last + 1,
            "mutants": shares.get(row.suite),
        }
        for row in rows
    }


def _judgements(reader: Reader, solutions: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return what a list shows of the newest judgement of each solution.

    One on the current suite is preferred to those that are outdated.
    """
    own, version, solution = tables.judgements.c, tables.suite_versions.c, tables.solutions.c
    number = (
        select(func.max(version.number))
        .where(version.problem == solution.problem, version.suite == own.suite)
        .correlate(tables.judgements, tables.solutions)
        .scalar_subquery()
    )
    rows = reader.connection.execute(
        judgement_rows(
            own.passed, own.tests, own.tests_passed, number.label("suite_version")
        ).where(own.solution.in_(solutions))
    )
    newest: dict[str, Any] = {}
    for row in rows:
        if row.solution not in newest or newest[row.solution].outdated or not row.outdated:
            newest[row.solution] = row
    names = ("suite_version", "tests_passed", "tests")
    return {
        row.solution: {
            **{name: getattr(row, name) for name in names},
            "passed": bool(row.passed),
            "outdated": bool(row.outdated),
        }
        for row in newest.values()
    }
