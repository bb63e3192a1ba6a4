"""Find the size of stress inputs for a suite that is measured, and count its cases of that size."""

from collections.abc import Sequence

from pydantic import JsonValue

from steelyard.errors import UsageError
from steelyard.schemas import Share, StressSize
from steelyard.strength._main_size import NOTHING_GROWS, MainSize, main_size
from steelyard.strength._options import StrengthOptions
from steelyard.strength._reading import Given
from steelyard.strength._spec_growth import growth_of


def suite_growth(
    given: Given, solution: bytes, slow: bytes | None, options: StrengthOptions
) -> tuple[StressSize | None, str]:
    """Return the size of stress inputs, and why it is not known or what the suite lacks.

    Args:
        given: The suite, of calls of Python programs.
        solution: The solution's text.
        slow: The text of a slow program; None if there is none.
        options: How to measure.

    Raises:
        InfrastructureError: if the machine failed.
    """
    spec, found = given.spec, options.growth
    if spec is None or (slow is None and found is None):
        return None, ""
    main = main_size(spec, options.seed or 0)
    if main is None:
        return None, NOTHING_GROWS
    try:
        if found is None:
            found = growth_of(
                main,
                solution,
                slow,
                limit_ms=given.stated_ms,
                entry=given.entry,
                pool=options.cells,
            ).size
    except UsageError as error:
        return None, f"growth was not measured: {error}"
    cases = _of_size(main, found.n, given.args)
    lacks = f"no case has {main.quantity} >= {found.n:,}, where the slow program is too slow"
    return (
        found.model_copy(update={"cases": cases}),
        lacks if found.separates and not cases.count else found.reason,
    )


def _of_size(main: MainSize, n: int, every: Sequence[tuple[JsonValue, ...] | None]) -> Share:
    large = sum(args is not None and main.of(args) >= n for args in every)
    return Share(count=large, of=len(every))
