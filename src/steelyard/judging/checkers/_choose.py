"""Make the checker for a match mode."""

import importlib
import pkgutil
from typing import Literal

from steelyard._arguments import checks_arguments
from steelyard.errors import UsageError
from steelyard.judging.checkers import modes
from steelyard.judging.checkers._outcome import MODES, Checker
from steelyard.judging.checkers.modes._numbers import NumberTolerance

for _module in pkgutil.iter_modules(modes.__path__, f"{modes.__name__}."):
    importlib.import_module(_module.name)

MATCH_MODES = tuple(sorted(MODES, key=lambda mode: MODES[mode].order))
"""The modes that `checker_for` accepts, with the default first."""
TYPE_CHECKING = False
if TYPE_CHECKING:
    MatchMode = str
else:
    MatchMode = Literal[MATCH_MODES]
"""The way outputs are compared. A checker program is a `ProgramChecker`."""


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
    tolerance = NumberTolerance.of(abs_tol, rel_tol)
    if tolerance.rel_tol >= 1:
        raise UsageError(f"rel_tol is {rel_tol}, which accepts 0 for anything; keep it under 1")
    chosen = MODES.get(mode)
    if chosen is None:
        if mode == "program":
            raise UsageError("the match mode 'program' needs a checker program; name its file")
        raise UsageError(f"unknown match mode '{mode}'; use one of {', '.join(MATCH_MODES)}")
    if ignore_case and not chosen.ignore_case:
        cased = [name for name in MATCH_MODES if MODES[name].ignore_case]
        raise UsageError(
            f"the match mode '{mode}' does not ignore case; use one of {', '.join(cased)}, or "
            "leave ignore_case out"
        )
    if not chosen.tolerance and (abs_tol is not None or rel_tol is not None):
        near = [name for name in MATCH_MODES if MODES[name].tolerance]
        raise UsageError(
            f"the match mode '{mode}' compares no numbers, so it takes no tolerance; "
            f"use {' or '.join(near)}, or leave the tolerance out"
        )
    options = [*[tolerance] * chosen.tolerance, *[ignore_case] * chosen.ignore_case]
    return chosen.make(*options)
