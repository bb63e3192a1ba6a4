"""Does a program pass its tests, within limits? What reward has it earned?

`ExecutionVerifier` answers both for users; `Judge` is the engine under it, and under the command.
"""

from steelyard._homes import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from steelyard.judging._batch import in_order, judge_rows
    from steelyard.judging._entries import CaseIsolation, as_entry, as_policy, entry_checker
    from steelyard.judging._job import JOB, subject_of, tests_in_words
    from steelyard.judging._judge import Judge
    from steelyard.judging._judges import (
        Judges,
        ajudge,
        judge,
        judge_of,
        language_of_program,
        prepared,
        read_program,
        task_limits,
    )
    from steelyard.judging._loading import TestSource, load_json_tests, load_tests
    from steelyard.judging._options import ComparisonOptions, JudgeOptions, RunningOptions
    from steelyard.judging._reward_ladder import Reward, binary, graduated, pass_rate, rewarded
    from steelyard.judging._rows import LoadedTask, RowReader, RowTests, loaded
    from steelyard.judging._runs import (
        CallOutcome,
        Runs,
        judge_case,
        may_share,
        outcomes_in,
        skipped,
        verdict_of,
    )
    from steelyard.judging._test_cases import ROW_FIELDS, kind_of
    from steelyard.judging._verifier import (
        ClangExecutionVerifier,
        ExecutionVerifier,
        GCCExecutionVerifier,
        MinGWExecutionVerifier,
    )
    from steelyard.judging._view import verdict_span, view
    from steelyard.judging.checkers import (
        CHECKER_LIMITS,
        MATCH_MODES,
        VALUE_MODES,
        Convention,
        MatchMode,
        ProgramChecker,
        ValueChecker,
        ValueMode,
        checker_for,
        value_checker_for,
    )
    from steelyard.judging.checkers._outcome import Checker, Outcome
    from steelyard.judging.forms import (
        FORMS,
        VISIBLE,
        Form,
        Source,
        form_called,
        form_of_tests,
        pairs_of,
    )
    from steelyard.judging.prompts import ExtractedTests, FoundCase, extract_tests
    from steelyard.judging.replies import code_of_reply, program_of, take_code, without_end_tokens
else:
    __getattr__, __dir__ = lazy_face(__name__)

__all__ = [
    "CHECKER_LIMITS",
    "FORMS",
    "JOB",
    "MATCH_MODES",
    "ROW_FIELDS",
    "VALUE_MODES",
    "VISIBLE",
    "CallOutcome",
    "CaseIsolation",
    "Checker",
    "ClangExecutionVerifier",
    "ComparisonOptions",
    "Convention",
    "ExecutionVerifier",
    "ExtractedTests",
    "Form",
    "FoundCase",
    "GCCExecutionVerifier",
    "Judge",
    "JudgeOptions",
    "Judges",
    "LoadedTask",
    "MatchMode",
    "MinGWExecutionVerifier",
    "Outcome",
    "ProgramChecker",
    "Reward",
    "RowReader",
    "RowTests",
    "RunningOptions",
    "Runs",
    "Source",
    "TestSource",
    "ValueChecker",
    "ValueMode",
    "ajudge",
    "as_entry",
    "as_policy",
    "binary",
    "checker_for",
    "code_of_reply",
    "entry_checker",
    "extract_tests",
    "form_called",
    "form_of_tests",
    "graduated",
    "in_order",
    "judge",
    "judge_case",
    "judge_of",
    "judge_rows",
    "kind_of",
    "language_of_program",
    "load_json_tests",
    "load_tests",
    "loaded",
    "may_share",
    "outcomes_in",
    "pairs_of",
    "pass_rate",
    "prepared",
    "program_of",
    "read_program",
    "rewarded",
    "skipped",
    "subject_of",
    "take_code",
    "task_limits",
    "tests_in_words",
    "value_checker_for",
    "verdict_of",
    "verdict_span",
    "view",
    "without_end_tokens",
]
