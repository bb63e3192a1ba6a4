"""Map public names to their modules, and publish them under `steelyard`."""

from collections.abc import Mapping
from types import FunctionType

__all__ = ["HOMES", "publish"]

HOMES: Mapping[str, tuple[str, ...]] = {
    "steelyard.authoring": ("AuthorOptions",),
    "steelyard.authoring.pipeline": ("Author", "AuthorReplay"),
    "steelyard.strength": (
        "StrengthOptions", "ameasure_strength", "measure_strength",
    ),
    "steelyard.equivalence": (
        "CompareBaseline", "CompareOptions", "acompare", "acompare_candidate", "compare",
        "compare_candidate",
        "rank_candidates",
    ),
    "steelyard.evaluation": (
        "EvaluateOptions", "aevaluate", "diff_evaluations", "evaluate", "merge_evaluations",
        "view_evaluation",
    ),
    "steelyard.errors": ("SteelyardError", "InfrastructureError", "UsageError"),
    "steelyard.judging": (
        "Checker", "ClangExecutionVerifier", "ExecutionVerifier", "GCCExecutionVerifier", "Judge",
        "JudgeOptions", "MinGWExecutionVerifier", "Outcome", "ProgramChecker", "ValueChecker",
        "ajudge", "binary", "checker_for", "code_of_reply", "extract_tests", "graduated", "judge",
        "load_tests", "pass_rate", "value_checker_for",
    ),
    "steelyard.options": ("Options",),
    "steelyard.profiling": (
        "ProfileOptions", "Profiler", "acompare_growth", "aprofile", "compare_growth", "profile",
    ),
    "steelyard.sandbox": ("Blob", "CellPool", "Command", "Mount", "View"),
    "steelyard.schemas": (
        "AuthorReport", "AuthorRound", "AuthoredCase", "AuthoredSuite", "Behaviour",
        "BehaviourCase", "Bounds", "CaseResult", "CategoryStrength", "CodeMessage", "CompactInput",
        "Comparison", "CompileResult", "ComplexityEstimate", "Constraints", "Coverage",
        "DateWindow", "Diagnostic", "Entry", "ErrorResult", "EvaluationDiff", "EvaluationReport",
        "Event", "Execution", "GrowthComparison", "Independence", "InvalidCase", "Isolation",
        "Limits", "Measurement", "MemoryUse", "MetricDifference", "MetricValue", "MutationScore",
        "OpenQuestion", "OracleAttempt", "OracleDifference", "OracleReport", "OutputEvidence",
        "Parameter", "PlanMessage", "Policy", "Prediction", "ProblemInput", "ProfileReport",
        "PruneFinding", "Reading", "Reason", "ReferenceAgreement", "ReferenceSolution", "Report",
        "RunResult", "Shape", "Share", "SpecExample", "Specification", "Speed", "SpeedCase",
        "Spending", "StrengthReport", "StressSize", "Survivor", "TaskScore", "TestCase",
        "TestSuite", "UnitTest", "ValueDifference", "Verdict", "VerdictMessage", "VerifyResult",
        "message_schemas",
    ),
    "steelyard.solving": (
        "SolveOptions", "Solver", "asolve", "problem_of_text", "read_problem", "solve",
    ),
    "steelyard.storage": ("open_database",),
    "steelyard.toolchains": ("Artifact", "Toolchain", "find_toolchain", "language_of"),
}  # fmt: skip


def publish(module: str, namespace: Mapping[str, object]) -> None:
    """Let the public classes and functions of a module report `steelyard` as their home.

    Users see these names in tracebacks, `help` and pickles, while the code may move.
    """
    for name in HOMES[module]:
        value = namespace[name]
        if isinstance(value, type | FunctionType):
            value.__module__ = "steelyard"
