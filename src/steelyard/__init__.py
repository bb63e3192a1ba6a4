"""Say with evidence whether a program is right, how fast it is and how it grows.

Start with one of these:

    judge(program, tests)                     does it pass its tests, and what reward is it worth?
    profile(program, inputs=...)              how does it grow, and will the largest input fit?
    compare(program, function=..., root=...)  does a rewritten function behave as its original?
    Author().author(request, out=...)         let models write tests that decide, and solutions
    solve(problem)                            let models write a program that is right and efficient
    measure_strength(suite, solution)         which wrong and slow programs does a suite kill?
    evaluate(benchmark, samples=...)          how good are the programs of a model, with intervals?

`ajudge`, `aprofile`, `acompare`, `asolve`, `ameasure_strength` and `aevaluate` are their async
twins. To do a job many times, make an `ExecutionVerifier`, a `Profiler`, a `CompareBaseline` or a
`Solver` once.

Every result is a `Report`: `passed`, `notes`, `seconds`, `isolation`, `to_json()`. What a program
does wrong is in the report. A wrong call raises `UsageError`; a machine that fails raises
`InfrastructureError`. Both are a `SteelyardError`.
"""

from steelyard._homes import HOMES

TYPE_CHECKING = False  # `typing` would take more time than all else here
if TYPE_CHECKING:
    __version__: str
    from steelyard.authoring import AuthorOptions
    from steelyard.authoring.pipeline import Author
    from steelyard.comparing import (
        CompareBaseline,
        CompareOptions,
        acompare,
        acompare_candidate,
        compare,
        compare_candidate,
        rank_candidates,
    )
    from steelyard.errors import InfrastructureError, SteelyardError, UsageError
    from steelyard.evaluation import (
        EvaluateOptions,
        aevaluate,
        diff_evaluations,
        evaluate,
        export_evaluation,
        merge_evaluations,
        view_evaluation,
    )
    from steelyard.inputs import inputs_of
    from steelyard.judging import (
        Checker,
        ClangExecutionVerifier,
        ExecutionVerifier,
        GCCExecutionVerifier,
        Judge,
        JudgeOptions,
        MinGWExecutionVerifier,
        Outcome,
        ProgramChecker,
        ValueChecker,
        ajudge,
        binary,
        checker_for,
        code_of_reply,
        extract_tests,
        graduated,
        judge,
        judge_of,
        load_tests,
        pass_rate,
        value_checker_for,
    )
    from steelyard.options import Options
    from steelyard.profiling import (
        ProfileOptions,
        Profiler,
        acompare_growth,
        aprofile,
        compare_growth,
        profile,
    )
    from steelyard.runs import Replay
    from steelyard.sandbox import Blob, CellPool, Command, Mount, View
    from steelyard.schemas import (
        AuthoredCase,
        AuthoredSuite,
        AuthorReport,
        AuthorRound,
        Behaviour,
        BehaviourCase,
        Bounds,
        CaseResult,
        CategoryStrength,
        CodeMessage,
        CompactInput,
        Comparison,
        CompileResult,
        ComplexityEstimate,
        Constraints,
        Coverage,
        DateWindow,
        Diagnostic,
        Entry,
        ErrorResult,
        EvaluationDiff,
        EvaluationReport,
        Event,
        Execution,
        GrowthComparison,
        Independence,
        InvalidCase,
        Isolation,
        Limits,
        Measurement,
        MemoryUse,
        MetricDifference,
        MetricValue,
        MutationScore,
        OpenQuestion,
        OracleAttempt,
        OracleDifference,
        OracleReport,
        OutputEvidence,
        Parameter,
        PlanMessage,
        Policy,
        Prediction,
        ProblemInput,
        ProfileReport,
        PruneFinding,
        Reading,
        Reason,
        ReferenceAgreement,
        ReferenceSolution,
        Report,
        RunResult,
        Shape,
        Share,
        SpecExample,
        Specification,
        Speed,
        SpeedCase,
        Spending,
        StrengthReport,
        StressSize,
        Survivor,
        Task,
        TaskScore,
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
    from steelyard.storage import open_database
    from steelyard.strength import (
        StrengthOptions,
        ameasure_strength,
        measure_strength,
    )
    from steelyard.toolchains import Artifact, Toolchain, find_toolchain, language_of
    from steelyard.training import RAFTConfig, RAFTTrainer, reward_report

_HOME = {name: module for module, names in HOMES.items() for name in names}

__all__ = [
    "Artifact",
    "Author",
    "AuthorOptions",
    "AuthorReport",
    "AuthorRound",
    "AuthoredCase",
    "AuthoredSuite",
    "Behaviour",
    "BehaviourCase",
    "Blob",
    "Bounds",
    "CaseResult",
    "CategoryStrength",
    "CellPool",
    "Checker",
    "ClangExecutionVerifier",
    "CodeMessage",
    "Command",
    "CompactInput",
    "CompareBaseline",
    "CompareOptions",
    "Comparison",
    "CompileResult",
    "ComplexityEstimate",
    "Constraints",
    "Coverage",
    "DateWindow",
    "Diagnostic",
    "Entry",
    "ErrorResult",
    "EvaluateOptions",
    "EvaluationDiff",
    "EvaluationReport",
    "Event",
    "Execution",
    "ExecutionVerifier",
    "GCCExecutionVerifier",
    "GrowthComparison",
    "Independence",
    "InfrastructureError",
    "InvalidCase",
    "Isolation",
    "Judge",
    "JudgeOptions",
    "Limits",
    "Measurement",
    "MemoryUse",
    "MetricDifference",
    "MetricValue",
    "MinGWExecutionVerifier",
    "Mount",
    "MutationScore",
    "OpenQuestion",
    "Options",
    "OracleAttempt",
    "OracleDifference",
    "OracleReport",
    "Outcome",
    "OutputEvidence",
    "Parameter",
    "PlanMessage",
    "Policy",
    "Prediction",
    "ProblemInput",
    "ProfileOptions",
    "ProfileReport",
    "Profiler",
    "ProgramChecker",
    "PruneFinding",
    "RAFTConfig",
    "RAFTTrainer",
    "Reading",
    "Reason",
    "ReferenceAgreement",
    "ReferenceSolution",
    "Replay",
    "Report",
    "RunResult",
    "Shape",
    "Share",
    "SolveOptions",
    "Solver",
    "SpecExample",
    "Specification",
    "Speed",
    "SpeedCase",
    "Spending",
    "SteelyardError",
    "StrengthOptions",
    "StrengthReport",
    "StressSize",
    "Survivor",
    "Task",
    "TaskScore",
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
    "acompare_candidate",
    "acompare_growth",
    "aevaluate",
    "ajudge",
    "ameasure_strength",
    "aprofile",
    "asolve",
    "binary",
    "checker_for",
    "code_of_reply",
    "compare",
    "compare_candidate",
    "compare_growth",
    "diff_evaluations",
    "evaluate",
    "export_evaluation",
    "extract_tests",
    "find_toolchain",
    "graduated",
    "inputs_of",
    "judge",
    "judge_of",
    "language_of",
    "load_tests",
    "measure_strength",
    "merge_evaluations",
    "message_schemas",
    "open_database",
    "pass_rate",
    "problem_of_text",
    "profile",
    "rank_candidates",
    "read_problem",
    "reward_report",
    "solve",
    "value_checker_for",
    "view_evaluation",
]


def __getattr__(name: str) -> object:
    from importlib import import_module  # noqa: PLC0415

    value: object
    if name == "__version__":
        value = import_module("importlib.metadata").version("steelyard")
    elif name in _HOME:
        try:
            value = getattr(import_module(_HOME[name]), name)
        except (ImportError, AttributeError):
            # Python lacks modules and functions on other systems: say so rather than name one.
            import_module("steelyard._installation").require_linux()
            raise
    else:
        jobs = import_module("steelyard.jobs")
        own = name if name in jobs.JOBS else name.removeprefix("a")
        room = jobs.JOBS.get(own, "").partition(":")[0]
        if not room or room in HOMES:  # a room on the face has functions of its own
            raise AttributeError(f"module 'steelyard' has no attribute {name!r}")
        value = jobs.job(own).function if own == name else jobs.job(own).twin
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
