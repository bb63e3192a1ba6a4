"""The results of tools: what an agent acts on, typed and bounded."""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel, Field

_MOST_CASES = 20
_MOST_ITEMS = 20
_TEXT_CHARS = 1_000
_PROGRAM_CHARS = 100_000


class JudgedCase(BaseModel):
    """One case that the program did not pass."""

    name: str
    verdict: str
    """WA wrong output, TLE too slow, MLE too much memory, OLE too much output, RTE crash, CE does
    not compile, SK not run."""
    message: str
    stdout: str
    stderr: str
    cpu_ms: float
    memory_mib: float


class Judged(BaseModel):
    """A judgement."""

    passed: bool
    reward: float
    """From 0 to 1."""
    details: str
    compile_errors: list[str]
    cases: int
    cases_passed: int
    failures: list[JudgedCase]
    """The first cases that failed, 20 at most."""


class Profiled(BaseModel):
    """The growth of a program."""

    time_class: str
    """Such as `O(n log n)`; `unsure` if the figures do not decide."""
    time_confidence: float
    space_class: str
    space_confidence: float
    input_sizes: list[int]
    cpu_ms: list[float]
    memory_mib: list[float]
    predicted: dict[str, Any] = Field(default_factory=dict)
    """Time and memory at the largest input, with intervals."""
    meets_limits: bool | None
    notes: list[str]


class Compared(BaseModel):
    """A comparison of a rewritten function with its original."""

    accepted: bool
    behaviour: str
    """`same`, `different` or `unproved`."""
    speed: str
    """`faster`, `slower`, `same`, `undecided` or `not-measured`."""
    speedup: list[float] | None
    """The lower bound, the estimate and the upper bound of how many times as fast it is."""
    reasons: list[str]
    differences: list[str]
    """Calls on which the two differ."""


class SurvivingProgram(BaseModel):
    """A wrong program that the suite does not notice."""

    name: str
    kind: str
    diff: str
    killing_input: list[Any] | None
    """Arguments on which it fails: add them as a case."""


class StrengthMeasured(BaseModel):
    """A suite's strength."""

    passed: bool
    cases: int
    mutants: int
    mutants_killed: int
    wrong_killed: str
    """Such as `2 of 3`; empty if no wrong program was given."""
    slow_killed: str
    survivors: list[SurvivingProgram]


class StatementTest(BaseModel):
    """One test of a statement."""

    name: str
    input: str
    expected: str


class StatementTests(BaseModel):
    """The tests that a statement shows, as the tool `judge` takes them."""

    tests: list[StatementTest]
    omitted: int
    """Tests beyond the first 200."""
    passed_over: list[str]


class Authored(BaseModel):
    """An authored problem."""

    passed: bool
    status: str
    reason: str
    title: str
    statement: str
    cases: int
    solution: str
    questions: list[str]
    """What the request leaves open."""
    notes: list[str]
    """Also under which name it was stored."""
    cost_usd: float | None


class Solved(BaseModel):
    """The program that models wrote for a problem."""

    passed: bool
    status: str
    reason: str
    program: str
    language: str
    tests: int
    tests_passed: int
    time_class: str
    iterations: int
    cost_usd: float | None


def judged(result: dict[str, Any]) -> Judged:
    """Return the answer for a `VerifyResult`."""
    failed = [case for case in result["cases"] if case["verdict"] != "AC"]
    return Judged(
        passed=result["success"],
        reward=result["reward"],
        details=clipped(result["details"]),
        compile_errors=[_diagnostic(each) for each in result["compile"]["errors"][:_MOST_ITEMS]],
        cases=len(result["cases"]),
        cases_passed=len(result["cases"]) - len(failed),
        failures=[
            JudgedCase(
                name=case["name"],
                verdict=case["verdict"],
                message=clipped(case["message"]),
                stdout=clipped(case["stdout"]),
                stderr=clipped(case["stderr"]),
                cpu_ms=case["cpu_ms"],
                memory_mib=case["memory_mib"],
            )
            for case in failed[:_MOST_CASES]
        ],
    )


def profiled(report: dict[str, Any]) -> Profiled:
    """Return the answer for a `ProfileReport`."""
    time, space = report["time"], report["space"]
    return Profiled(
        time_class=time["class"],
        time_confidence=time["confidence"],
        space_class=space["class"],
        space_confidence=space["confidence"],
        input_sizes=report["input_sizes"],
        cpu_ms=report["runtime_ms"],
        memory_mib=report["peak_memory_mb"],
        predicted=report["prediction"],
        meets_limits=report["meets_limits"],
        notes=_texts([time["reason"], space["reason"], *report["notes"]]),
    )


def compared(report: dict[str, Any]) -> Compared:
    """Return the answer for a `Comparison`."""
    behaviour, speed = report["behaviour"] or {}, report["speed"] or {}
    gain = speed.get("speedup")
    cases = [each for each in behaviour.get("cases", ()) if each["outcome"] == "different"]
    return Compared(
        accepted=report["accepted"],
        behaviour=behaviour.get("verdict", "unproved"),
        speed=speed.get("verdict", "not-measured"),
        speedup=[gain["low"], gain["mid"], gain["high"]] if gain else None,
        reasons=_texts(f"{each['code']}: {each['text']}" for each in report["reasons"]),
        differences=_texts(f"{each['name']}: {each['input'] or each['note']}" for each in cases),
    )


def strength_measured(report: dict[str, Any]) -> StrengthMeasured:
    """Return the answer for a `StrengthReport`."""
    mutation = report["mutation"] or {"mutants": 0, "killed": 0}
    return StrengthMeasured(
        passed=report["passed"],
        cases=report["cases"],
        mutants=mutation["mutants"],
        mutants_killed=mutation["killed"],
        wrong_killed=_share(report["wrong"]),
        slow_killed=_share(report["slow"]),
        survivors=[
            SurvivingProgram(
                name=each["name"],
                kind=each["kind"],
                diff=clipped(each["diff"]),
                killing_input=each["killing_input"],
            )
            for each in report["survivors"][:_MOST_ITEMS]
        ],
    )


def extracted(answer: dict[str, Any]) -> StatementTests:
    """Return the answer for the tests of a statement."""
    return StatementTests(
        tests=[StatementTest(**each) for each in answer["tests"][:200]],
        omitted=max(0, len(answer["tests"]) - 200),
        passed_over=_texts(answer["passed_over"]),
    )


def authored(report: dict[str, Any]) -> Authored:
    """Return the answer for an `AuthorReport`."""
    specification, suite = report["specification"] or {}, report["suite"] or {}
    sources = {each["name"]: each["source"] for each in report["solutions"]}
    return Authored(
        passed=report["passed"],
        status=report["status"],
        reason=clipped(report["reason"]),
        title=clipped(str(specification.get("title", ""))),
        statement=str(specification.get("description", ""))[:_PROGRAM_CHARS],
        cases=len(suite.get("cases", ())),
        solution=sources.get(report["solution"], "")[:_PROGRAM_CHARS],
        questions=_texts(each["text"] for each in report["questions"]),
        notes=_texts(report["notes"]),
        cost_usd=report["spending"].get("cost_usd"),
    )


def solved(result: dict[str, Any]) -> Solved:
    """Return the answer for a `RunResult`."""
    code, profile = result["code"] or {}, result["profile"] or {}
    return Solved(
        passed=result["passed"],
        status=result["status"],
        reason=clipped(result["reason"]),
        program=str(code.get("code_cpp", ""))[:_PROGRAM_CHARS],
        language=str(code.get("language", "")),
        tests=result["tests"],
        tests_passed=result["tests_passed"],
        time_class=profile.get("time", {}).get("class", "unsure"),
        iterations=result["iterations"],
        cost_usd=result["spending"].get("cost_usd"),
    )


class ToolAnswer(BaseModel):
    """The report of a job: long texts and lists are cut."""

    passed: bool
    report: dict[str, Any]


def answered(report: dict[str, Any]) -> ToolAnswer:
    """Return the answer for any report."""
    return ToolAnswer(passed=report["passed"], report=_cut(report))


ANSWERS: Mapping[str, tuple[Callable[[dict[str, Any]], BaseModel], type[BaseModel]]] = {
    "judge": (judged, Judged),
    "profile": (profiled, Profiled),
    "compare": (compared, Compared),
    "strength": (strength_measured, StrengthMeasured),
    "author": (authored, Authored),
    "solve": (solved, Solved),
}
"""The answer of each job whose report has more than an agent acts on."""


def _cut(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _cut(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_cut(each) for each in value[:_MOST_ITEMS]]
    return clipped(value) if isinstance(value, str) else value


def clipped(text: str) -> str:
    """Return a text that is short enough for an agent's context."""
    return text if len(text) <= _TEXT_CHARS else f"{text[:_TEXT_CHARS]}…"


def _texts(texts: Any) -> list[str]:
    return [clipped(text) for text in texts if text][:_MOST_ITEMS]


def _diagnostic(each: dict[str, Any]) -> str:
    line = each.get("line")
    return clipped(each["message"] if line is None else f"line {line}: {each['message']}")


def _share(share: dict[str, int] | None) -> str:
    return "" if share is None else f"{share['count']} of {share['of']}"
