"""Decide whether an output answers a case.

outcome = checker_for("float_tokens", abs_tol=1e-9).check(case, output)
"""

from steelyard._homes import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from steelyard.judging.checkers._choose import MATCH_MODES, MatchMode, checker_for
    from steelyard.judging.checkers._program import CHECKER_LIMITS, Convention, ProgramChecker
    from steelyard.judging.checkers._values import (
        VALUE_MODES,
        ValueChecker,
        ValueMode,
        value_checker_for,
    )
    from steelyard.judging.checkers.modes._numbers import (
        DEFAULT_ABS_TOL,
        DEFAULT_REL_TOL,
        NumberTolerance,
    )
else:
    __getattr__, __dir__ = lazy_face(__name__)

__all__ = [
    "CHECKER_LIMITS",
    "DEFAULT_ABS_TOL",
    "DEFAULT_REL_TOL",
    "MATCH_MODES",
    "VALUE_MODES",
    "Convention",
    "MatchMode",
    "NumberTolerance",
    "ProgramChecker",
    "ValueChecker",
    "ValueMode",
    "checker_for",
    "value_checker_for",
]
