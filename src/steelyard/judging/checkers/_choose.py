"""Make the checker for a match mode."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal, get_args

from steelyard._arguments import checks_arguments
from steelyard.errors import UsageError
from steelyard.judging._outcome import Checker
from steelyard.judging.checkers._exact import ExactChecker
from steelyard.judging.checkers._numbers import Tolerance
from steelyard.judging.checkers._numeric import NumericChecker
from steelyard.judging.checkers._search import ContainsChecker, RegexChecker
from steelyard.judging.checkers._tokens import FloatTokensChecker, TokensChecker
from steelyard.judging.checkers._unordered import UnorderedChecker

__all__ = ["MATCH_MODES", "MatchMode", "checker_for"]

_PLAIN: Mapping[str, Callable[[], Checker]] = MappingProxyType(
    {
        "exact": ExactChecker,
        "tokens": TokensChecker,
        "contains": ContainsChecker,
        "regex": RegexChecker,
        "unordered": UnorderedChecker,
    }
)
_WITH_TOLERANCE: Mapping[str, Callable[[Tolerance], Checker]] = MappingProxyType(
    {"numeric": NumericChecker, "float_tokens": FloatTokensChecker}
)

MatchMode = Literal[
    "exact", "tokens", "contains", "regex", "numeric", "float_tokens", "unordered"
]  # fmt: skip
"""The way outputs are compared. A checker program is a `ProgramChecker`."""

MATCH_MODES: tuple[MatchMode, ...] = get_args(MatchMode)
"""The modes that `checker_for` accepts."""


@checks_arguments
def checker_for(
    mode: MatchMode, *, abs_tol: float | None = None, rel_tol: float | None = None
) -> Checker:
    """Return the checker for a match mode.

    Two numbers match within max(abs_tol, rel_tol x |expected|). If neither tolerance is given,
    both are 1e-6, and two numbers that are both written as integers must be equal. If only one
    tolerance is given, the other is 0, and integers may differ too.

    Args:
        mode: One of `MATCH_MODES`.
        abs_tol: For `numeric` and `float_tokens`, the largest absolute difference.
        rel_tol: For these, the largest difference relative to the expected number.

    Raises:
        UsageError: for an unknown mode, a tolerance that is negative or not finite, a relative
            one of 1 or more, or one for a mode that compares no numbers.
    """
    tolerance = Tolerance.of(abs_tol, rel_tol)
    if tolerance.rel_tol >= 1:
        raise UsageError(f"rel_tol is {rel_tol}, which accepts 0 for anything; keep it under 1")
    if mode in _WITH_TOLERANCE:
        return _WITH_TOLERANCE[mode](tolerance)
    if mode in _PLAIN:
        if abs_tol is not None or rel_tol is not None:
            raise UsageError(
                f"the match mode '{mode}' compares no numbers, so it takes no tolerance; "
                f"use {' or '.join(_WITH_TOLERANCE)}, or leave the tolerance out"
            )
        return _PLAIN[mode]()
    if str(mode) == "program":
        raise UsageError("the match mode 'program' needs a checker program; name its file")
    raise UsageError(f"unknown match mode '{mode}'; use one of {', '.join(MATCH_MODES)}")
