"""Decide whether an output answers a case.

outcome = checker_for("float_tokens", abs_tol=1e-9).check(case, output)
"""

from steelyard._homes import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from steelyard.judging.checkers._choose import MATCH_MODES, MatchMode, checker_for
    from steelyard.judging.checkers._items import (
        TokensChecker,
        UnorderedChecker,
    )
    from steelyard.judging.checkers._numbers import (
        DEFAULT_ABS_TOL,
        DEFAULT_REL_TOL,
        FloatTokensChecker,
        NumericChecker,
        Tolerance,
    )
    from steelyard.judging.checkers._program import CHECKER_LIMITS, Convention, ProgramChecker
    from steelyard.judging.checkers._values import (
        VALUE_MODES,
        ValueChecker,
        ValueMode,
        value_checker_for,
    )
    from steelyard.judging.checkers._whole_output import ContainsChecker, ExactChecker, RegexChecker
else:
    __getattr__, __dir__ = lazy_face(__name__)

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
    "MatchMode",
    "NumericChecker",
    "ProgramChecker",
    "RegexChecker",
    "TokensChecker",
    "Tolerance",
    "UnorderedChecker",
    "ValueChecker",
    "ValueMode",
    "checker_for",
    "value_checker_for",
]
