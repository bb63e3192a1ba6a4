"""Submit programs, list submissions, and repeat judgements that a newer suite could change.

A program is judged on an authored suite: the gate, then every case in a process of its own. The
tests are calls for Python, and text for every other language.
"""

import dataclasses
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Final, Self

from steelyard.authoring.specification import static_faults
from steelyard.errors import TestsError, UsageError
from steelyard.families import args_of
from steelyard.judging import (
    Checker,
    RunningOptions,
    checker_for,
    code_of_reply,
    graduated,
    judge_of,
)
from steelyard.sandbox import CellPool, shared_pool
from steelyard.schemas import (
    AuthoredCase,
    AuthoredSuite,
    CaseResult,
    CompileResult,
    Diagnostic,
    Entry,
    JudgedSolution,
    JudgedSubmission,
    Limits,
    OnEvent,
    Policy,
    Shape,
    Specification,
    StoredSolution,
    SubmissionReport,
    SuiteVersion,
    Task,
    TestCase,
    TestSuite,
    Verdict,
    VerifyResult,
)
from steelyard.strength import SpecCalls
from steelyard.toolchains import find_toolchain
from steelyard.values import canonical_json, match_mode_of, text_of_answer, text_of_arguments

if TYPE_CHECKING:
    from steelyard.storage import Database, Reader

_MOST_CHARS = 2_000_000
_KEPT = "the result of an equal program is stored for this suite and engine, so it did not run"
PYTHON: Final = "python"


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
    from steelyard.storage import submission_page  # loads an extra  # noqa: PLC0415

    reader.problem(problem)
    return submission_page(reader, problem=problem, most=None)[::-1]


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


@dataclass(frozen=True, slots=True)
class CurrentProblem:
    """A problem's current suite, with the specification that the suite is for."""

    name: str
    spec: Specification
    suite: AuthoredSuite
    version: SuiteVersion

    @classmethod
    def read(cls, reader: "Reader", name: str) -> Self:
        """Return the current state of a problem.

        Raises:
            UsageError: if there is no such problem, or it has no suite.
            DatabaseError: if it is damaged.
        """
        versions = reader.suite_versions(name)
        if not versions:
            raise UsageError(f"problem {name} has no suite; store one first")
        suite = reader.suite(versions[-1].suite)
        return cls(name, reader.spec(suite.spec_digest), suite, versions[-1])

    @property
    def decided(self) -> tuple[AuthoredCase, ...]:
        """The cases with an expected output that is not disputed."""
        return tuple(
            case for case in self.suite.cases if case.has_expected and case.trust != "disputed"
        )


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


USUAL_MS: Final = 2_000
"""CPU time of a case if the suite proposes none."""
_MOST_NAME = 200


def entry_of(language: str) -> str:
    """Return how programs of a language are entered."""
    return "class:Solution.solve" if language == PYTHON else "stdio"


class SuiteJudge:
    """Judges programs of one language on the suite of one problem.

    A Python program is called; a program in another language reads the arguments as text.

    Args:
        problem: The problem.
        pool: Where programs run.
        language: The programs' language.

    Raises:
        TestsError: if no case of the suite has an expected output.
        SpecificationError: if a value cannot be written as text.
        LanguageError: if the language is unknown, or its compiler is not installed.
    """

    def __init__(self, problem: CurrentProblem, pool: CellPool, language: str = PYTHON) -> None:
        spec, toolchain = problem.spec, find_toolchain(language)
        calls = language == PYTHON
        entry = Entry.parse(entry_of(language))
        self._tests, checker = (_called if calls else _read_as_text)(problem)
        self._rules = spec.static_rules if calls else ()
        self._limit_ms = round(problem.suite.time_limit_ms or USUAL_MS)
        self._keys = {case.name: _key(problem, case) for case in problem.decided}
        self.engine = f"steelyard {version('steelyard')}, {toolchain.version}"[:_MOST_NAME]
        """The name of what judges, with all versions that a verdict depends on."""
        policy = Policy(
            modules=() if "no import" in spec.static_rules else None,
            require=(Shape(name=entry.name, parameters=len(spec.parameters)),) if calls else (),
        )
        options = RunningOptions(
            checker=checker,
            pool=pool,
            limits=Limits(cpu_ms=max(1, self._limit_ms)),
            policy=policy if calls else None,
        )
        task = Task(id="suite", prompt="", entry=str(entry), language=language)
        self._judge = judge_of(task, options, suite=self._tests)

    def judge(self, source: str, on_event: OnEvent | None = None) -> VerifyResult:
        """Return the judgement of a program on every case.

        Raises:
            InfrastructureError: if the machine failed.
        """
        code = code_of_reply(source, PYTHON, entry_of(PYTHON)) if self._rules else ""
        faults = static_faults(code, self._rules) if self._rules else ()
        if faults:
            return self._refused(faults)
        return self._judge.judge(source.encode(), on_event=on_event)

    def by_case(self, result: VerifyResult) -> dict[str, CaseResult]:
        """Return the results of a judgement on this suite by what each verdict depends on."""
        return {self._keys[each.name]: each for each in result.cases if each.name in self._keys}

    def judge_again(
        self, source: str, former: VerifyResult, known: Mapping[str, CaseResult]
    ) -> VerifyResult:
        """Return the judgement of a program that was judged on another version of the suite.

        Only the cases run that are new or have changed.

        Args:
            source: The program.
            former: Its former judgement, by an equal engine.
            known: The results of that judgement, from `by_case` of its judge.

        Raises:
            InfrastructureError: if the machine failed.
        """
        found = self._carried(known)
        if not former.compile.ok or not found:
            return self.judge(source)
        notes = (f"{len(found)} of {len(self._tests)} results are those of an earlier suite",)
        left = tuple(case for case in self._tests.cases if case.name not in found)
        if left:
            tests = TestSuite(cases=left, entry_kind=self._tests.entry_kind)
            former = dataclasses.replace(self._judge, suite=tests).judge(source.encode())
            found |= {each.name: each for each in former.cases}
        return _result(former, tuple(found[case.name] for case in self._tests.cases), notes)

    def _carried(self, known: Mapping[str, CaseResult]) -> dict[str, CaseResult]:
        """Return the results of cases that have not changed, by name."""
        pairs = ((case, known.get(self._keys[case.name])) for case in self._tests.cases)
        return {
            case.name: result.model_copy(update={"name": case.name, "category": case.category})
            for case, result in pairs
            if result is not None
        }

    def _refused(self, faults: Sequence[str]) -> VerifyResult:
        """Return the judgement of a program that a static rule refuses."""
        errors = tuple(Diagnostic(severity="error", message=fault) for fault in faults)
        cases = tuple(
            CaseResult(
                name=case.name, verdict=Verdict.CE, category=case.category, message=faults[0]
            )
            for case in self._tests.cases
        )
        compiled = CompileResult(ok=False, errors=errors)
        return VerifyResult(
            success=False,
            reward=0.0,
            details=f"refused: {faults[0]}",
            compile=compiled,
            cases=cases,
        )


def _key(problem: CurrentProblem, case: AuthoredCase) -> str:
    """Return a text over whatever the verdict of a case depends on."""
    limit_ms = problem.suite.time_limit_ms or USUAL_MS
    return canonical_json([problem.suite.spec_digest, limit_ms, case.input.digest, case.expected])


def _result(
    former: VerifyResult, cases: tuple[CaseResult, ...], notes: tuple[str, ...]
) -> VerifyResult:
    passed = sum(case.verdict is Verdict.AC for case in cases)
    failed = next((case for case in cases if case.verdict is not Verdict.AC), None)
    first = f"; first: {failed.name} {failed.verdict} {failed.message}".rstrip() if failed else ""
    result = former.model_copy(
        update={
            "success": passed == len(cases),
            "cases": cases,
            "notes": notes,
            "details": f"compiled; {passed} of {len(cases)} tests passed{first}",
        }
    )
    return result.model_copy(update={"reward": float(graduated(result))})


def _called(problem: CurrentProblem) -> tuple[TestSuite, Checker]:
    """Return the tests as calls of `solve`, and what compares the answers.

    Raises:
        TestsError: if no case has an expected output.
        SpecificationError: if an input cannot be expanded.
    """
    calls = SpecCalls(problem.spec)
    return calls.suite_of(problem.decided), calls.checker


def _read_as_text(problem: CurrentProblem) -> tuple[TestSuite, Checker]:
    """Return the tests as standard input and output, and what compares the outputs.

    Raises:
        TestsError: if no case has an expected output.
        SpecificationError: if an input cannot be expanded, or a value cannot be written.
    """
    spec = problem.spec
    cases = tuple(
        TestCase(
            input=_encoded(text_of_arguments(spec, args_of(case.input))),
            expected=_encoded(text_of_answer(spec, case.expected)),
            name=case.name,
            category=case.category,
        )
        for case in problem.decided
    )
    if not cases:
        raise TestsError("no case of the suite has an expected output; compute outputs first")
    return TestSuite(cases=cases, source="suite"), checker_for(match_mode_of(spec))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
