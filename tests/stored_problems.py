"""Small problems with their suites, solutions and judgements, for tests of the database."""

from pydantic import JsonValue

from steelyard.schemas import (
    AuthoredCase,
    AuthoredSuite,
    CaseResult,
    CompactInput,
    CompileResult,
    OutputEvidence,
    Parameter,
    SpecExample,
    Specification,
    StoredSolution,
    Verdict,
    VerifyResult,
    canonical_json,
    sha256_of,
)

SPEC = Specification(
    title="Sum",
    description="Add the numbers up.",
    parameters=(Parameter(name="nums", type="list[int]"),),
    returns="int",
    constraints=("0 <= len(nums) <= 100000",),
    examples=(SpecExample(args=([1, 2],), expected=3),),
)


def an_input(*args: JsonValue, expression: str = "") -> CompactInput:
    digest = sha256_of(canonical_json(list(args)))
    if expression:
        return CompactInput(expression=expression, digest=digest)
    return CompactInput(args=args, digest=digest)


def a_case(number: int, **changes: object) -> AuthoredCase:
    fields: dict[str, object] = {
        "name": f"case {number}",
        "category": "edge",
        "origin": "family organ-pipe",
        "input": an_input([number, number]),
        "expected": 2 * number,
        "has_expected": True,
        "trust": "trusted",
        "evidence": OutputEvidence(independent=2, agree=2, inputs=9, exhaustive_to="len <= 3"),
        "kills": ("mutant 1",),
    }
    return AuthoredCase.model_validate(fields | changes)


def a_suite(*numbers: int, spec: Specification = SPEC, **changes: object) -> AuthoredSuite:
    cases = tuple(map(a_case, numbers))
    fields = {"spec_digest": spec.digest, "cases": cases, "time_limit_ms": 2_000.0}
    return AuthoredSuite.model_validate(fields | changes)


LARGE = a_case(
    0,
    name="large",
    input=an_input([0] * 1_000, expression="[[0] * 1000]"),
    expected=0,
    notes=("the brute force is too slow",),
)


def a_solution(
    problem: str = "sum", source: str = "def f(): 1", **fields: object
) -> StoredSolution:
    plain = {"problem": problem, "role": "optimised", "source": source}
    return StoredSolution.model_validate(plain | fields)


def a_result(*verdicts: Verdict) -> VerifyResult:
    passed = all(each is Verdict.AC for each in verdicts)
    return VerifyResult(
        success=passed,
        reward=float(passed),
        details="of a test",
        compile=CompileResult(ok=True),
        cases=tuple(
            CaseResult(name=f"case {number}", verdict=verdict, cpu_ms=1.5)
            for number, verdict in enumerate(verdicts)
        ),
    )
