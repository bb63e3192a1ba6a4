"""Whether a generator's inputs look like the problem's own: its samples, and its bounds."""

from collections.abc import Mapping, Sequence

from assayer.errors import GeneratorError
from assayer.profiling import GeneratorSource, Point
from assayer.sandbox import CellPool
from assayer.schemas import Limits, ProblemInput

__all__ = ["checked_generator", "main_bound"]

_LIMITS = Limits(cpu_ms=10_000, wall_ms=20_000, memory_mib=1_024, output_mib=256, file_mib=1)
_FEW = 3
"""Numbers on a first line that are sizes, rather than the data themselves."""
_SMALL = 5
_SHOWN_CHARS = 60


def main_bound(bounds: Mapping[str, int]) -> int | None:
    """The largest main size that bounds state: n's, or the only one's; None: they do not say."""
    for name in ("n", "N"):
        if name in bounds:
            return bounds[name]
    return next(iter(bounds.values())) if len(bounds) == 1 else None


def checked_generator(
    text: str, problem: ProblemInput, bounds: Mapping[str, int], seed: int, pool: CellPool
) -> tuple[GeneratorSource, int]:
    """The generator, and the largest n that it is for.

    It is run in a cell. That it depends on n, and on nothing beside n and its seed, the profile
    makes sure of.

    Args:
        text: The module.
        problem: With its samples.
        bounds: The largest sizes.
        seed: Of the inputs.
        pool: Where it runs.

    Raises:
        GeneratorError: where it gives no input, or one that the problem does not allow; the
            message says which.
        InfrastructureError: where the machine failed.
    """
    source = GeneratorSource(text.encode(), pool, name="the generator", limits=_LIMITS)
    largest = main_bound(bounds) or source.says.n_max
    if largest is None or largest < 1:
        raise GeneratorError(
            'the largest n is not known; state a bound for n, such as {"n": 100000}'
        )
    small = _text_of(source, min(_SMALL, largest), seed)
    samples = [test.input for test in problem.unit_tests]
    _require_form(small, samples)
    _require_bounds(_text_of(source, largest, seed), largest, bounds, samples)
    return source, largest


def _text_of(source: GeneratorSource, n: int, seed: int) -> str:
    content = source.get(Point(n), seed).content
    return content.read()[: 1 << 16].decode("utf-8", "replace")


def _require_form(made: str, samples: Sequence[str]) -> None:
    """The first lines agree in what they hold: numbers or words, and how many where that is set."""
    firsts = [_first_line(sample) for sample in samples if sample.strip()]
    if not firsts:
        return
    mine = _first_line(made)
    kinds = {kind for first in firsts for kind in map(_kind, first)}
    strange = next((token for token in mine if _kind(token) not in kinds), None)
    if strange is not None and not ("float" in kinds and _kind(strange) == "int"):
        raise GeneratorError(
            f"its first line holds {strange[:_SHOWN_CHARS]!r} (of kind {_kind(strange)}), and the "
            f"samples' first lines hold {' and '.join(sorted(kinds))}s; keep to the samples' format"
        )
    counts = {len(first) for first in firsts}
    if len(counts) == 1 and max(counts) <= _FEW and len(mine) not in counts:
        raise GeneratorError(
            f"its first line has {len(mine)} tokens, and the samples' have {counts.pop()}; keep "
            "to the samples' format"
        )


def _require_bounds(
    made: str, largest: int, bounds: Mapping[str, int], samples: Sequence[str]
) -> None:
    """Sizes on the first line keep to the bounds, where it holds sizes."""
    first = _first_line(made)
    if not bounds or not 0 < len(first) <= _FEW or any(_kind(token) != "int" for token in first):
        return
    most = max(*bounds.values(), largest)
    over = next((token for token in first if abs(int(token)) > most), None)
    seen = max(
        (abs(int(t)) for s in samples for t in _first_line(s) if _kind(t) == "int"), default=0
    )
    if over is not None and seen <= most:
        raise GeneratorError(
            f"at n = {largest} its first line holds {over[:_SHOWN_CHARS]}, beyond the bounds "
            f"{dict(bounds)}; keep to them"
        )


def _first_line(text: str) -> list[str]:
    return next((line.split() for line in text.splitlines() if line.strip()), [])


def _kind(token: str) -> str:
    digits = token.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) < 4_000:
        return "int"
    try:
        float(token)
    except ValueError:
        return "word"
    return "float"
