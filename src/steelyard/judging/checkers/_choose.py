"""Make the checker for a match mode."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal, get_args

from steelyard._arguments import checks_arguments
from steelyard.errors import UsageError
from steelyard.judging.checkers._items import (
    LinesChecker,
    TokensChecker,
    UnorderedChecker,
)
from steelyard.judging.checkers._numbers import FloatTokensChecker, NumericChecker, Tolerance
from steelyard.judging.checkers._outcome import Checker
from steelyard.judging.checkers._whole_output import ContainsChecker, ExactChecker, RegexChecker

_CHECKERS: Mapping[str, Callable[[Tolerance, bool], Checker]] = MappingProxyType(
    {
        "exact": lambda _tolerance, _cased: ExactChecker(),
        "tokens": lambda _tolerance, cased: TokensChecker(cased),
        "lines": lambda _tolerance, cased: LinesChecker(cased),
        "contains": lambda _tolerance, _cased: ContainsChecker(),
        "regex": lambda _tolerance, _cased: RegexChecker(),
        "numeric": lambda tolerance, _cased: NumericChecker(tolerance),
        "float_tokens": FloatTokensChecker,
        "unordered": lambda _tolerance, _cased: UnorderedChecker(),
    }
)
"""By mode; each gets the tolerance, and True to ignore case."""
_WITH_TOLERANCE, _CASED = ("numeric", "float_tokens"), ("tokens", "lines", "float_tokens")

MatchMode = Literal[
    "exact", "tokens", "lines", "contains", "regex", "numeric", "float_tokens", "unordered"
]
"""The way outputs are compared. A checker program is a `ProgramChecker`."""

MATCH_MODES: tuple[MatchMode, ...] = get_args(MatchMode)
"""The modes that `checker_for` accepts."""


@checks_arguments
def checker_for(
    mode: MatchMode,
    *,
    abs_tol: float | None = None,
    rel_tol: float | None = None,
    ignore_case: bool = False,
) -> Checker:
    """Return the checker for a match mode.

    Two numbers match within max(abs_tol, rel_tol x |expected|). If neither tolerance is given,
    both are 1e-6, and two numbers that are both written as integers must be equal. If only one
    tolerance is given, the other is 0, and integers may differ too.

    Args:
        mode: One of `MATCH_MODES`.
        abs_tol: For `numeric` and `float_tokens`, the largest absolute difference.
        rel_tol: For these, the largest difference relative to the expected number.
        ignore_case: For `tokens`, `lines` and `float_tokens`, `A` to `Z` equal `a` to `z`.

    Raises:
        UsageError: for an unknown mode, a tolerance that is negative or not finite, a relative
            one of 1 or more, one for a mode that compares no numbers, or `ignore_case` for a mode
            that has no such option.
    """
    tolerance = Tolerance.of(abs_tol, rel_tol)
    if tolerance.rel_tol >= 1:
        raise UsageError(f"rel_tol is {rel_tol}, which accepts 0 for anything; keep it under 1")
    if ignore_case and mode in MATCH_MODES and mode not in _CASED:
        raise UsageError(
            f"the match mode '{mode}' does not ignore case; use one of {', '.join(_CASED)}, or "
            "leave ignore_case out"
        )
    if str(mode) == "program":
        raise UsageError("the match mode 'program' needs a checker program; name its file")
    if mode not in _CHECKERS:
        raise UsageError(f"unknown match mode '{mode}'; use one of {', '.join(MATCH_MODES)}")
    if mode not in _WITH_TOLERANCE and (abs_tol is not None or rel_tol is not None):
        raise UsageError(
            f"the match mode '{mode}' compares no numbers, so it takes no tolerance; "
            f"use {' or '.join(_WITH_TOLERANCE)}, or leave the tolerance out"
        )
    return _CHECKERS[mode](tolerance, ignore_case)
