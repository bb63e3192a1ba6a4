"""Decide whether an output answers a case.

outcome = checker_for("float_tokens", abs_tol=1e-9).check(case, output)
"""

from assayer.judging.checkers._choose import MATCH_MODES, checker_for
from assayer.judging.checkers._exact import ExactChecker
from assayer.judging.checkers._numbers import DEFAULT_ABS_TOL, DEFAULT_REL_TOL, Tolerance
from assayer.judging.checkers._numeric import NumericChecker
from assayer.judging.checkers._program import CHECKER_LIMITS, Convention, ProgramChecker
from assayer.judging.checkers._search import ContainsChecker, RegexChecker
from assayer.judging.checkers._tokens import FloatTokensChecker, TokensChecker
from assayer.judging.checkers._unordered import UnorderedChecker
from assayer.judging.checkers._values import VALUE_MODES, ValueChecker, value_checker_for

__all__ = [
    "CHECKER_LIMITS",
    "DEFAULT_ABS_TOL",
    "DEFAULT_REL_TOL",
    "MATCH_MODES",
    "VALUE_MODES",
    "ContainsChecker",
    "Convention",
    "ExactChecker",
    "FloatTokensChecker",
    "NumericChecker",
    "ProgramChecker",
    "RegexChecker",
    "TokensChecker",
    "Tolerance",
    "UnorderedChecker",
    "ValueChecker",
    "checker_for",
    "value_checker_for",
]
