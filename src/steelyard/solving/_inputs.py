"""Check that a generator's inputs match the problem's samples and bounds."""

from collections.abc import Mapping, Sequence

from steelyard.errors import GeneratorError
from steelyard.profiling import GeneratorSource, Point
from steelyard.sandbox import Blob, CellPool
from steelyard.schemas import Limits, ProblemInput, main_bound
from steelyard.solving.portfolio import (
    Format,
    Size,
    bound_fault,
    doublings,
    growth_fault,
    size_of,
)

_LIMITS = Limits(memory_mib=1_024, output_mib=256, file_mib=1)
_LEAST_S, _MOST_S = 1.0, 10.0
_FEW = 3
"""Numbers on a first line that are sizes, rather than the data themselves."""
_SMALL = 5
_SHOWN_CHARS = 60
_LONG_NUMBER = 40
_SEEDS = 3
_MOST_BYTES = 32 << 20


def source_of(text: str, pool: CellPool, *, most_s: float = _MOST_S) -> GeneratorSource:
    """Return a generator module with this CPU time, in seconds, for one input."""
    cpu_ms = round(1000 * min(_MOST_S, max(_LEAST_S, most_s)))
    limits = _LIMITS.model_copy(update={"cpu_ms": cpu_ms, "wall_ms": 2 * cpu_ms})
    return GeneratorSource(text.encode(), pool, name="the generator", limits=limits)


def checked_generator(
    text: str,
    problem: ProblemInput,
    bounds: Mapping[str, int],
    seed: int,
    pool: CellPool,
    *,
    most_s: float = _MOST_S,
) -> tuple[GeneratorSource, int]:
    """Return the generator, and the largest n that it is for.

    The generator runs in a cell. The profile checks that it depends on n and its seed only.

    Args:
        text: The module.
        problem: The problem, with its samples.
        bounds: The largest sizes.
        seed: Of the inputs.
        pool: Where it runs.
        most_s: CPU time for one input, in seconds; at least one is given, and ten at most.

    Raises:
        GeneratorError: if it gives no input, or one that the problem does not allow; the
            message has the reason.
        InfrastructureError: if the machine failed.
    """
    source = source_of(text, pool, most_s=most_s)
    largest = main_bound(bounds) or source.says.n_max
    if largest is None or largest < 1:
        raise GeneratorError('the largest n is unknown; state a bound for n, such as {"n": 100000}')
    if not problem.input_bounds and (fault := bound_fault(problem.prompt, bounds, largest)):
        raise GeneratorError(fault)
    least = min(_SMALL, largest)
    small, large = (source.get(Point(n), seed).content for n in (least, largest))
    samples = [test.input for test in problem.unit_tests]
    _require_form(_beginning(small), samples)
    _require_bounds(_beginning(large), largest, bounds, samples)
    if least < largest and small.read() == large.read():
        raise GeneratorError(
            f"it ignores n: its inputs for n = {least} and n = {largest} are equal; make the "
            "size of its input grow with n"
        )
    _require_growth(source, largest, seed)
    if fault := Format(samples).fault(text_of(large)):
        raise GeneratorError(f"at n = {largest} {fault}; make the size of its input follow n")
    return source, largest


def text_of(content: Blob) -> str:
    """Return an input as text; what is beyond the first 32 MiB is left out."""
    return content.read()[:_MOST_BYTES].decode("utf-8", "replace")


def _require_growth(source: GeneratorSource, largest: int, seed: int) -> None:
    """Require that the size of the input follows n to the end, with one of a few seeds."""
    ns = doublings(largest)
    sizes: list[Size] = []
    fault: str | None = None
    for number in range(_SEEDS):
        source.plan([Point(n) for n in ns])
        contents = [source.get(Point(n), seed + number).content for n in ns]
        own = [_size(content, whole=contents[-1].size < _MOST_BYTES) for content in contents]
        sizes = [one.larger(other) for one, other in zip(own, sizes or own, strict=True)]
        fault = growth_fault(ns, sizes)
        if fault is None:
            return
    raise GeneratorError(fault)


def _size(content: Blob, *, whole: bool) -> Size:
    """Return the size of an input; in bytes only, if the largest one is too large to be read."""
    return size_of(text_of(content)) if whole else Size(content.size, content.size, 0)


def _beginning(content: Blob) -> str:
    return content.read()[: 1 << 16].decode("utf-8", "replace")


def _require_form(made: str, samples: Sequence[str]) -> None:
    """Require first lines of the same kind: numbers or words, and their number if it is fixed."""
    firsts = [_first_line(sample) for sample in samples if sample.strip()]
    if not firsts:
        return
    mine = _first_line(made)
    kinds = {kind for first in firsts for kind in map(_kind, first)}
    strange = next((token for token in mine if _kind(token) not in kinds), None)
    if strange is not None and not ("float" in kinds and _kind(strange) == "int"):
        raise GeneratorError(
            f"its first line holds {strange[:_SHOWN_CHARS]!r} (of kind {_kind(strange)}), and the "
            f"samples' first lines hold {' and '.join(sorted(kinds))}s; follow the samples' format"
        )
    counts = {len(first) for first in firsts}
    if len(counts) == 1 and max(counts) <= _FEW and len(mine) not in counts:
        raise GeneratorError(
            f"its first line has {len(mine)} tokens, and the samples' have {counts.pop()}; "
            "follow the samples' format"
        )


def _require_bounds(
    made: str, largest: int, bounds: Mapping[str, int], samples: Sequence[str]
) -> None:
    """Require that the first number of an input, usually its size, is within the bounds."""
    begins, known = _first_number(made), [_first_number(sample) for sample in samples]
    if not bounds or begins is None:
        return
    most = max(*bounds.values(), largest, *(abs(number) for number in known if number is not None))
    if abs(begins) > most:
        raise GeneratorError(
            f"at n = {largest} it starts with {begins}, above the largest bound, {most}; "
            "stay within the bounds"
        )


def _first_number(text: str) -> int | None:
    """Return the whole number that a text begins with; None if it is not one, or far too long."""
    first = _first_line(text)[:1]
    short = first and _kind(first[0]) == "int" and len(first[0]) < _LONG_NUMBER
    return int(first[0]) if short else None


def _first_line(text: str) -> list[str]:
    return next((line.split() for line in text.splitlines() if line.strip()), [])


def _kind(token: str) -> str:
    digits = token.removeprefix("-")
    if digits.isascii() and digits.isdigit():
        return "int"
    try:
        float(token)
    except ValueError:
        return "word"
    return "float"
