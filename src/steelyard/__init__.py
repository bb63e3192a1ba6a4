"""Says with evidence whether a program is right, how fast it is and how it grows.

Everything that a user of the library needs is here; the parts are imported at first use, so
that `import steelyard` costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    __version__: str
    from steelyard.equivalence import (
        CompareBaseline,
        CompareOptions,
        acompare,
        compare,
        compare_candidate,
        rank_candidates,
    )
    from steelyard.errors import InfrastructureError, SteelyardError, UsageError
    from steelyard.judging import (
        Checker,
        ClangExecutionVerifier,
        ExecutionVerifier,
        GCCExecutionVerifier,
        Judge,
        MinGWExecutionVerifier,
        Outcome,
        ProgramChecker,
        ValueChecker,
        ajudge,
        all_or_nothing,
        checker_for,
        code_of_reply,
        extract_tests,
        graduated,
        judge,
        load_tests,
        value_checker_for,
    )
    from steelyard.profiling import (
        ProfileOptions,
        Profiler,
        acompare_growth,
        aprofile,
        compare_growth,
        profile,
    )
    from steelyard.sandbox import Blob, CellPool, Command, Mount, View
    from steelyard.schemas import (
        Behaviour,
        BehaviourCase,
        Bounds,
        CaseResult,
        CodeMessage,
        Comparison,
        CompileResult,
        ComplexityEstimate,
        Constraints,
        Coverage,
        Diagnostic,
        Entry,
        Execution,
        GrowthComparison,
        Isolation,
        Limits,
        Measurement,
        MemoryUse,
        PlanMessage,
        Policy,
        Prediction,
        ProblemInput,
        ProfileReport,
        PruneFinding,
        Reason,
        RunResult,
        Shape,
        Speed,
        SpeedCase,
        Spending,
        TestCase,
        TestSuite,
        UnitTest,
        ValueDifference,
        Verdict,
        VerdictMessage,
        VerifyResult,
        message_schemas,
    )
    from steelyard.solving import (
        SolveOptions,
        Solver,
        asolve,
        problem_of_text,
        read_problem,
        solve,
    )
    from steelyard.toolchains import Artifact, Toolchain, find_toolchain, language_of

_HOMES = {
    "steelyard.equivalence": (
        "CompareBaseline", "CompareOptions", "acompare", "compare", "compare_candidate",
        "rank_candidates",
    ),
    "steelyard.errors": ("SteelyardError", "InfrastructureError", "UsageError"),
    "steelyard.judging": (
        "Checker", "ClangExecutionVerifier", "ExecutionVerifier", "GCCExecutionVerifier", "Judge",
        "MinGWExecutionVerifier", "Outcome", "ProgramChecker", "ValueChecker", "ajudge",
        "all_or_nothing", "checker_for", "code_of_reply", "extract_tests", "graduated",
        "judge", "load_tests", "value_checker_for",
    ),
    "steelyard.profiling": (
        "ProfileOptions", "Profiler", "acompare_growth", "aprofile", "compare_growth", "profile",
    ),
    "steelyard.sandbox": ("Blob", "CellPool", "Command", "Mount", "View"),
    "steelyard.schemas": (
        "Behaviour", "BehaviourCase", "Bounds", "CaseResult", "CodeMessage", "Comparison",
        "CompileResult", "ComplexityEstimate", "Constraints", "Coverage", "Diagnostic",
        "Entry", "Execution", "GrowthComparison", "Isolation", "Limits", "Measurement",
        "MemoryUse", "PlanMessage", "Policy", "Prediction", "ProblemInput", "ProfileReport",
        "PruneFinding", "Reason", "RunResult", "Shape", "Speed", "SpeedCase", "Spending",
        "TestCase", "TestSuite", "UnitTest", "ValueDifference", "Verdict", "VerdictMessage",
        "VerifyResult", "message_schemas",
    ),
    "steelyard.solving": (
        "SolveOptions", "Solver", "asolve", "problem_of_text", "read_problem", "solve",
    ),
    "steelyard.toolchains": ("Artifact", "Toolchain", "find_toolchain", "language_of"),
}  # fmt: skip
"""A name that would be too general here has another one after a colon."""
_HOME = {
    name.rpartition(":")[2]: (module, name.partition(":")[0])
    for module, names in _HOMES.items()
    for name in names
}

__all__ = [
    "Artifact",
    "Behaviour",
    "BehaviourCase",
    "Blob",
    "Bounds",
    "CaseResult",
    "CellPool",
    "Checker",
    "ClangExecutionVerifier",
    "CodeMessage",
    "Command",
    "CompareBaseline",
    "CompareOptions",
    "Comparison",
    "CompileResult",
    "ComplexityEstimate",
    "Constraints",
    "Coverage",
    "Diagnostic",
    "Entry",
    "Execution",
    "ExecutionVerifier",
    "GCCExecutionVerifier",
    "GrowthComparison",
    "InfrastructureError",
    "Isolation",
    "Judge",
    "Limits",
    "Measurement",
    "MemoryUse",
    "MinGWExecutionVerifier",
    "Mount",
    "Outcome",
    "PlanMessage",
    "Policy",
    "Prediction",
    "ProblemInput",
    "ProfileOptions",
    "ProfileReport",
    "Profiler",
    "ProgramChecker",
    "PruneFinding",
    "Reason",
    "RunResult",
    "Shape",
    "SolveOptions",
    "Solver",
    "Speed",
    "SpeedCase",
    "Spending",
    "SteelyardError",
    "TestCase",
    "TestSuite",
    "Toolchain",
    "UnitTest",
    "UsageError",
    "ValueChecker",
    "ValueDifference",
    "Verdict",
    "VerdictMessage",
    "VerifyResult",
    "View",
    "acompare",
    "acompare_growth",
    "ajudge",
    "all_or_nothing",
    "aprofile",
    "asolve",
    "checker_for",
    "code_of_reply",
    "compare",
    "compare_candidate",
    "compare_growth",
    "extract_tests",
    "find_toolchain",
    "graduated",
    "judge",
    "language_of",
    "load_tests",
    "message_schemas",
    "problem_of_text",
    "profile",
    "rank_candidates",
    "read_problem",
    "solve",
    "value_checker_for",
]


def __getattr__(name: str) -> object:
    if name == "__version__":
        return import_module("importlib.metadata").version("steelyard")
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'steelyard' has no attribute {name!r}")
    module, own_name = home
    value = getattr(import_module(module), own_name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
