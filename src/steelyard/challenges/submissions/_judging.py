"""Judge programs on an authored suite: the gate, then every case in a process of its own."""

import dataclasses
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Final

from steelyard.authoring.specification import static_faults
from steelyard.challenges.submissions._problem import CurrentProblem
from steelyard.challenges.submissions._tests import called, read_as_text
from steelyard.judging import RunningOptions, code_of_reply, graduated, judge_of
from steelyard.plain import canonical_json
from steelyard.sandbox import CellPool
from steelyard.schemas import (
    AuthoredCase,
    CaseResult,
    CompileResult,
    Diagnostic,
    Entry,
    Limits,
    OnEvent,
    Policy,
    Shape,
    Task,
    TestSuite,
    Verdict,
    VerifyResult,
)
from steelyard.toolchains import find_toolchain

PYTHON: Final = "python"
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
        self._tests, checker = (called if calls else read_as_text)(problem)
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
