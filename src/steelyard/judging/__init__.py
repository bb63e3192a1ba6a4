"""Does a program pass its tests, within limits? What reward has it earned?

`ExecutionVerifier` answers both for users; `Judge` is the engine under it, and under the command.
"""

from steelyard._homes import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from steelyard.judging._call import (
        ajudge,
        judge,
        language_of_program,
        read_program,
        verifier_of,
    )
    from steelyard.judging._cases import judge_case, skipped, verdict_of
    from steelyard.judging._entries import CaseIsolation, as_entry, as_policy, entry_checker
    from steelyard.judging._judge import Judge
    from steelyard.judging._options import JudgeOptions
    from steelyard.judging._outcome import Checker, Outcome
    from steelyard.judging._rewards import Reward, binary, graduated, pass_rate, rewarded
    from steelyard.judging._runs import Runs, outcomes_in
    from steelyard.judging._verifier import (
        ClangExecutionVerifier,
        ExecutionVerifier,
        GCCExecutionVerifier,
        MinGWExecutionVerifier,
    )
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
    from steelyard.judging.loading import TestSource, load_json_tests, load_tests
    from steelyard.judging.prompts import ExtractedTests, FoundCase, extract_tests
    from steelyard.judging.replies import code_of_reply, take_code, without_end_tokens
else:
    __getattr__, __dir__ = lazy_face(__name__)

__all__ = [
    "CHECKER_LIMITS",
    "MATCH_MODES",
    "VALUE_MODES",
    "CaseIsolation",
    "Checker",
    "ClangExecutionVerifier",
    "Convention",
    "ExecutionVerifier",
    "ExtractedTests",
    "FoundCase",
    "GCCExecutionVerifier",
    "Judge",
    "JudgeOptions",
    "MatchMode",
    "MinGWExecutionVerifier",
    "Outcome",
    "ProgramChecker",
    "Reward",
    "Runs",
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
    "graduated",
    "judge",
    "judge_case",
    "language_of_program",
    "load_json_tests",
    "load_tests",
    "outcomes_in",
    "pass_rate",
    "read_program",
    "rewarded",
    "skipped",
    "take_code",
    "value_checker_for",
    "verdict_of",
    "verifier_of",
    "without_end_tokens",
]
