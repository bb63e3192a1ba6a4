"""Says with evidence whether a program is right, how fast it is and how it grows.

Everything that a user of the library needs is here; the parts are imported at first use, so
that `import assayer` costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assayer.errors import AssayerError, InfrastructureError, UsageError
    from assayer.judging import (
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
        extract_tests,
        graduated,
        judge,
        load_tests,
        value_checker_for,
    )
    from assayer.profiling import Profiler, compare_growth, profile
    from assayer.sandbox import Blob, CellPool, Command, Mount, View
    from assayer.schemas import (
        CaseResult,
        CompileResult,
        ComplexityEstimate,
        Diagnostic,
        Entry,
        Execution,
        GrowthComparison,
        Isolation,
        Limits,
        Measurement,
        Policy,
        Prediction,
        ProfileReport,
        Shape,
        TestCase,
        TestSuite,
        Verdict,
        VerifyResult,
    )
    from assayer.toolchains import Artifact, Toolchain, find_toolchain, language_of

_HOMES = {
    "assayer.errors": ("AssayerError", "InfrastructureError", "UsageError"),
    "assayer.judging": (
        "Checker", "ClangExecutionVerifier", "ExecutionVerifier", "GCCExecutionVerifier", "Judge",
        "MinGWExecutionVerifier", "Outcome", "ProgramChecker", "ValueChecker", "ajudge",
        "all_or_nothing", "checker_for", "extract_tests", "graduated", "judge", "load_tests",
        "value_checker_for",
    ),
    "assayer.profiling": ("Profiler", "compare_growth", "profile"),
    "assayer.sandbox": ("Blob", "CellPool", "Command", "Mount", "View"),
    "assayer.schemas": (
        "CaseResult", "CompileResult", "ComplexityEstimate", "Diagnostic", "Entry", "Execution",
        "GrowthComparison", "Isolation", "Limits", "Measurement", "Policy", "Prediction",
        "ProfileReport", "Shape", "TestCase", "TestSuite", "Verdict", "VerifyResult",
    ),
    "assayer.toolchains": ("Artifact", "Toolchain", "find_toolchain", "language_of"),
}  # fmt: skip
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Artifact",
    "AssayerError",
    "Blob",
    "CaseResult",
    "CellPool",
    "Checker",
    "ClangExecutionVerifier",
    "Command",
    "CompileResult",
    "ComplexityEstimate",
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
    "MinGWExecutionVerifier",
    "Mount",
    "Outcome",
    "Policy",
    "Prediction",
    "ProfileReport",
    "Profiler",
    "ProgramChecker",
    "Shape",
    "TestCase",
    "TestSuite",
    "Toolchain",
    "UsageError",
    "ValueChecker",
    "Verdict",
    "VerifyResult",
    "View",
    "ajudge",
    "all_or_nothing",
    "checker_for",
    "compare_growth",
    "extract_tests",
    "find_toolchain",
    "graduated",
    "judge",
    "language_of",
    "load_tests",
    "profile",
    "value_checker_for",
]


def __getattr__(name: str) -> object:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'assayer' has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
