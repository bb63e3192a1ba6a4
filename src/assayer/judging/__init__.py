"""Does a program pass its tests, within limits? What reward has it earned?

`ExecutionVerifier` answers both for users; `Judge` is the engine under it, and under the command.
"""

from assayer.judging._call import ajudge, judge
from assayer.judging._cases import OnCase
from assayer.judging._entries import CaseIsolation, as_entry, as_policy, entry_checker
from assayer.judging._judge import Judge
from assayer.judging._outcome import Checker, Outcome
from assayer.judging._rewards import Reward, all_or_nothing, graduated
from assayer.judging._runs import outcomes_in
from assayer.judging._verifier import (
    ClangExecutionVerifier,
    ExecutionVerifier,
    GCCExecutionVerifier,
    MinGWExecutionVerifier,
)
from assayer.judging.checkers import (
    CHECKER_LIMITS,
    MATCH_MODES,
    VALUE_MODES,
    Convention,
    ProgramChecker,
    ValueChecker,
    checker_for,
    value_checker_for,
)
from assayer.judging.loading import TestSource, load_tests
from assayer.judging.prompts import ExtractedTests, FoundCase, extract_tests

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
    "MinGWExecutionVerifier",
    "OnCase",
    "Outcome",
    "ProgramChecker",
    "Reward",
    "TestSource",
    "ValueChecker",
    "ajudge",
    "all_or_nothing",
    "as_entry",
    "as_policy",
    "checker_for",
    "entry_checker",
    "extract_tests",
    "graduated",
    "judge",
    "load_tests",
    "outcomes_in",
    "value_checker_for",
]
