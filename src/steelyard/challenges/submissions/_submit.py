"""Submit programs, list submissions, and repeat judgements that a newer suite could change."""

import time
from typing import TYPE_CHECKING

from steelyard.challenges.submissions._judging import PYTHON, SuiteJudge, entry_of
from steelyard.challenges.submissions._problem import CurrentProblem
from steelyard.errors import UsageError
from steelyard.sandbox import CellPool, shared_pool
from steelyard.schemas import (
    JudgedSolution,
    JudgedSubmission,
    OnEvent,
    StoredSolution,
    SubmissionReport,
    Verdict,
)

if TYPE_CHECKING:
    from steelyard.storage import Database, Reader

_MOST_CHARS = 2_000_000
_KEPT = "the result of an equal program is stored for this suite and engine, so it did not run"


def submit(
    database: "Database",
    problem: str,
    source: bytes,
    *,
    by: str,
    owner: str = "",
    language: str = PYTHON,
    pool: CellPool | None = None,
    on_event: OnEvent | None = None,
) -> SubmissionReport:
    """Judge a program on a problem's current suite, and store the submission with its judgement.

    Args:
        database: The database that holds the problem.
        problem: The problem's name.
        source: The program's text, which may be hostile.
        by: The name of who submits it, for people.
        owner: The account that it belongs to; empty for the administrator.
        language: Its language; programs in other languages than Python read the arguments as text.
        pool: Where it runs; None for the pool that the process shares.
        on_event: Called with each case.

    Raises:
        UsageError: if there is no such problem, or the text cannot be stored; nothing is stored.
        InfrastructureError: if the machine or the database failed; nothing is stored.
    """
    started = time.monotonic()
    with database.read() as reader:
        current = CurrentProblem.read(reader, problem)
        solution = StoredSolution(
            problem=problem,
            role="submission",
            language=language,
            entry=entry_of(language),
            source=_text(source),
        )
        judge = SuiteJudge(current, pool or shared_pool(), language)
        known = _judged(reader, current, solution.digest, judge.engine)
    result = known.judgement.result if known else judge.judge(solution.source, on_event)
    suite = current.version.suite
    with database.change() as change:
        submission = change.add_submission(solution, by, owner=owner)
        judgement = change.add_judgement(solution.digest, suite, judge.engine, result)
        stored = _judged(change, current, solution.digest, judge.engine)
    return SubmissionReport(
        problem=problem,
        submission=submission.digest,
        solution=solution.digest,
        suite_version=current.version.number,
        engine=judge.engine,
        outdated=stored is not None and stored.outdated,
        result=judgement.result,
        notes=(_KEPT,) if known else (),
        seconds=time.monotonic() - started,
        isolation=judgement.result.isolation,
    )


def list_submissions(reader: "Reader", problem: str) -> tuple[JudgedSubmission, ...]:
    """Return the submissions for a problem with their newest judgements, the oldest first.

    Raises:
        UsageError: if there is no such problem.
        DatabaseError: if it is damaged.
    """
    numbers = {each.suite: each.number for each in reader.suite_versions(problem)}
    newest: dict[str, JudgedSolution] = {}
    for each in reader.judgements(problem):
        solution = each.judgement.solution
        if solution not in newest or newest[solution].outdated or not each.outdated:
            newest[solution] = each
    found = []
    for submission in reader.submissions(problem):
        judged = newest.get(submission.solution)
        if judged is None:
            found.append(JudgedSubmission(submission=submission))
            continue
        result = judged.judgement.result
        found.append(
            JudgedSubmission(
                submission=submission,
                suite_version=numbers.get(judged.judgement.suite),
                tests_passed=sum(case.verdict is Verdict.AC for case in result.cases),
                tests=len(result.cases),
                passed=result.passed,
                outdated=judged.outdated,
            )
        )
    return tuple(found)


def repeat_outdated(
    database: "Database",
    problem: str,
    *,
    pool: CellPool | None = None,
    on_event: OnEvent | None = None,
) -> int:
    """Judge all submissions whose judgements are outdated on the current suite.

    Returns:
        The number of programs that were judged.

    Raises:
        UsageError: if there is no such problem.
        InfrastructureError: if the machine or the database failed; each judgement until then is
            stored.
    """
    with database.read() as reader:
        current = CurrentProblem.read(reader, problem)
        outdated = {each.solution for each in reader.outdated(problem)}
        own = {each.solution for each in reader.submissions(problem)}
        solutions = [reader.solution(digest) for digest in sorted(outdated & own)]
    for solution in solutions:
        judge = SuiteJudge(current, pool or shared_pool(), solution.language)
        result = judge.judge(solution.source, on_event)
        with database.change() as change:
            change.add_judgement(solution.digest, current.version.suite, judge.engine, result)
    return len(solutions)


def _judged(
    reader: "Reader", current: CurrentProblem, solution: str, engine: str
) -> JudgedSolution | None:
    """Return the judgement of a solution on the suite by an engine, if it is stored."""
    found = reader.judgements(current.name, solution=solution, suite=current.version.suite)
    return next((each for each in found if each.judgement.engine == engine), None)


def _text(source: bytes) -> str:
    try:
        text = source.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"the program is not UTF-8 at byte {error.start + 1}; save it as UTF-8"
        ) from error
    if len(text) > _MOST_CHARS:
        raise UsageError(
            f"the program has {len(text):,} characters or more; shorten it to {_MOST_CHARS:,}"
        )
    return text
