"""Map public names to their modules, publish them under `steelyard`, and import them when used.

A package is a lazy face if importing all of its modules would cost more than most of its users
need:

1. It lists its imports once, in an `if TYPE_CHECKING:` block, where type checkers and the import
   contracts read them.
2. In `else:`, it takes `__getattr__` and `__dir__` from `lazy_face`, which reads the same block
   and imports a module when the first of its names is used.
"""

import re
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import FunctionType, ModuleType

HOMES: Mapping[str, tuple[str, ...]] = {
    "steelyard.authoring": ("AuthorOptions",),
    "steelyard.authoring.pipeline": ("Author",),
    "steelyard.strength": (
        "StrengthOptions",
        "ameasure_strength",
        "measure_strength",
    ),
    "steelyard.comparing": (
        "CompareBaseline",
        "CompareOptions",
        "acompare",
        "acompare_candidate",
        "compare",
        "compare_candidate",
        "rank_candidates",
    ),
    "steelyard.evaluation": (
        "EvaluateOptions",
        "aevaluate",
        "diff_evaluations",
        "evaluate",
        "export_evaluation",
        "merge_evaluations",
        "view_evaluation",
    ),
    "steelyard.errors": ("SteelyardError", "InfrastructureError", "UsageError"),
    "steelyard.inputs": ("inputs_of",),
    "steelyard.judging": (
        "Checker",
        "ClangExecutionVerifier",
        "ExecutionVerifier",
        "GCCExecutionVerifier",
        "Judge",
        "JudgeOptions",
        "MinGWExecutionVerifier",
        "Outcome",
        "ProgramChecker",
        "ValueChecker",
        "ajudge",
        "binary",
        "checker_for",
        "code_of_reply",
        "extract_tests",
        "graduated",
        "judge",
        "judge_of",
        "load_tests",
        "pass_rate",
        "value_checker_for",
    ),
    "steelyard.options": ("Options",),
    "steelyard.profiling": (
        "ProfileOptions",
        "Profiler",
        "acompare_growth",
        "aprofile",
        "compare_growth",
        "profile",
    ),
    "steelyard.runs": ("Replay",),
    "steelyard.sandbox": ("Blob", "CellPool", "Command", "Mount", "View"),
    "steelyard.schemas": (
        "AuthorReport",
        "AuthorRound",
        "AuthoredCase",
        "AuthoredSuite",
        "Behaviour",
        "BehaviourCase",
        "Bounds",
        "CaseResult",
        "CategoryStrength",
        "CodeMessage",
        "CompactInput",
        "Comparison",
        "CompileResult",
        "ComplexityEstimate",
        "Constraints",
        "Coverage",
        "DateWindow",
        "Diagnostic",
        "Entry",
        "ErrorResult",
        "EvaluationDiff",
        "EvaluationReport",
        "Event",
        "Execution",
        "GrowthComparison",
        "Independence",
        "InvalidCase",
        "Isolation",
        "Limits",
        "Measurement",
        "MemoryUse",
        "MetricDifference",
        "MetricValue",
        "MutationScore",
        "OpenQuestion",
        "OracleAttempt",
        "OracleDifference",
        "OracleReport",
        "OutputEvidence",
        "Parameter",
        "PlanMessage",
        "Policy",
        "Prediction",
        "ProblemInput",
        "ProfileReport",
        "PruneFinding",
        "Reading",
        "Reason",
        "ReferenceAgreement",
        "ReferenceSolution",
        "Report",
        "RunResult",
        "Shape",
        "Share",
        "SpecExample",
        "Specification",
        "Speed",
        "SpeedCase",
        "Spending",
        "StrengthReport",
        "StressSize",
        "Survivor",
        "Task",
        "TaskScore",
        "TestCase",
        "TestSuite",
        "UnitTest",
        "ValueDifference",
        "Verdict",
        "VerdictMessage",
        "VerifyResult",
        "message_schemas",
    ),
    "steelyard.solving": (
        "SolveOptions",
        "Solver",
        "asolve",
        "problem_of_text",
        "read_problem",
        "solve",
    ),
    "steelyard.storage": ("open_database",),
    "steelyard.training": ("RAFTConfig", "RAFTTrainer", "reward_report"),
    "steelyard.toolchains": ("Artifact", "Toolchain", "find_toolchain", "language_of"),
}

_IMPORTS = re.compile(r"^    from (\S+) import (\([^)]*\)|[^(\n]+)$", re.MULTILINE)
"""As the formatter writes them. To parse a face would take longer than to import its modules."""


def publish(module: str, namespace: Mapping[str, object]) -> None:
    """Let the public classes and functions of a module report `steelyard` as their home.

    Users see these names in tracebacks, `help` and pickles, while the code may move.
    """
    for name in HOMES[module]:
        if name in namespace:
            _publish(namespace[name])


def lazy_face(package: str) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a package that imports its names when they are used.

    Args:
        package: The full name of the package, whose `__init__.py` has an `if TYPE_CHECKING:` block.
    """
    face = sys.modules[package]
    homes: dict[str, str] = {}
    public = HOMES.get(package, ())

    def get(name: str) -> object:
        if not homes:
            homes.update(_imports(face))
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(homes[name])
        for each in (each for each, home in homes.items() if home == homes[name]):
            value = getattr(module, each)
            if each in public:
                _publish(value)
            setattr(face, each, value)
        return getattr(face, name)

    def names() -> list[str]:
        return sorted({*vars(face), *face.__all__})

    return get, names


def _publish(value: object) -> None:
    if isinstance(value, type | FunctionType):
        value.__module__ = "steelyard"


def _imports(face: ModuleType) -> dict[str, str]:
    """Return the module of each name that the face imports for type checkers."""
    with open(str(face.__file__), encoding="utf-8") as file:
        found = _IMPORTS.findall(file.read())
    return {
        name.split()[-1]: module
        for module, names in found
        for name in names.strip("(),\n ").split(",")
    }
