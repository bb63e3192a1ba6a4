"""Check that a generator's inputs match the problem's samples and bounds.

1. The bounds are those of the statement.
2. Its first lines have the kinds and counts of the samples' first lines, and keep the bounds.
3. The size of its inputs follows n up to the largest n.
4. Its largest input follows the format that the samples show.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from steelyard.errors import GeneratorError
from steelyard.profiling import GeneratorSource, Point
from steelyard.reports import count
from steelyard.sandbox import Blob, CellPool
from steelyard.schemas import Limits, ProblemInput, main_bound
from steelyard.solving._input_format import InputFormat, whole_number

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
    if fault := InputFormat(samples).fault(text_of(large)):
        raise GeneratorError(f"at n = {largest} {fault}; make the size of its input follow n")
    return source, largest


def text_of(content: Blob) -> str:
    """Return an input as text; what is beyond the first 32 MiB is left out."""
    return content.read()[:_MOST_BYTES].decode("utf-8", "replace")


def _require_growth(source: GeneratorSource, largest: int, seed: int) -> None:
    """Require that the size of the input follows n to the end, with one of a few seeds."""
    ns = doublings(largest)
    sizes: list[InputSize] = []
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


@dataclass(frozen=True)
class InputSize:
    """The size of one input."""

    tokens: int
    size_bytes: int
    largest: int
    """The largest whole number, by absolute value; 0 without any, or if there are many numbers."""

    def larger(self, other: "InputSize") -> "InputSize":
        """Return the larger of both in each respect."""
        return InputSize(
            max(self.tokens, other.tokens),
            max(self.size_bytes, other.size_bytes),
            max(self.largest, other.largest),
        )


def _size(content: Blob, *, whole: bool) -> InputSize:
    """Return the size of an input; in bytes only, if the largest one is too large to be read."""
    return size_of(text_of(content)) if whole else InputSize(content.size, content.size, 0)


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


_SMALLEST = 4
_SHARE = 0.45
"""The last increment must be this share of what the earlier increments promise. A doubling adds as
much as the one before it, or more, for sizes from log n to powers of n."""
_STEEPEST = 8.0
_NUMBER_BYTES = 24
"""More bytes for each token are words that grow, not numbers with more digits."""
_FAR = 16
_FEW_WORDS = 1_000


def size_of(text: str) -> InputSize:
    """Return the size of an input."""
    words = text.split()
    numbers = map(whole_number, words if len(words) <= _FEW_WORDS else ())
    largest = max((abs(number) for number in numbers if number is not None), default=0)
    return InputSize(len(words), len(text), largest)


def doublings(largest: int) -> list[int]:
    """Return the sizes at which an input is measured, each about twice the one before."""
    halved = [largest]
    while halved[-1] // 2 >= _SMALLEST:
        halved.append(halved[-1] // 2)
    return halved[::-1]


def growth_fault(ns: Sequence[int], sizes: Sequence[InputSize]) -> str | None:
    """Return how the size stops following n; None if it follows n to the end.

    Args:
        ns: From `doublings`.
        sizes: The size of the input for each n.
    """
    if len(ns) < 3:
        return None
    tokens = [size.tokens for size in sizes]
    if max(tokens) > 2 * min(tokens) + 2:
        return _stalled("tokens", ns, tokens)
    lengths = [size.size_bytes for size in sizes]
    if max(lengths) > _NUMBER_BYTES * max(tokens):
        return _stalled("bytes", ns, lengths)
    largest = [size.largest for size in sizes]
    before = [value for n, value in zip(ns, largest, strict=True) if n * _FAR <= ns[-1]]
    if largest[-1] > max(before or largest[:1]):
        return None
    return (
        f"it ignores n: its input for n = {count(ns[-1])} has {tokens[-1]:,} tokens and no larger "
        f"number than for n = {count(ns[0])}; make the size of its input grow with n"
    )


def _stalled(unit: str, ns: Sequence[int], sizes: Sequence[int]) -> str | None:
    """Return the fault if the last increment is far below what the earlier ones promise."""
    *earlier, last = [high - low for low, high in pairwise(sizes)]
    promised = float(max(earlier))
    if len(earlier) > 1 and earlier[-1] > earlier[-2] > 0:
        promised = max(promised, earlier[-1] * min(_STEEPEST, earlier[-1] / earlier[-2]))
    if last >= _SHARE * promised:
        return None
    return (
        f"its input stops growing: it has {sizes[-2]:,} {unit} for n = {count(ns[-2])} and "
        f"{sizes[-1]:,} for n = {count(ns[-1])}; make the size of its input follow n up to the "
        "largest n"
    )


_MOST_CHARS = 200_000
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_DIGITS = r"\d{1,3}(?:[,  ' ]\d{3})+(?!\d)|\d+"
_POWER = r"10\s{0,2}(?:\^|\*\*)\s{0,2}(?P<exponent>\d{1,2})"
_NUMBER = re.compile(
    rf"(?:(?P<factor>{_DIGITS})\s{{0,2}}[*·\u00d7]\s{{0,2}})?{_POWER}"
    rf"|(?P<mantissa>\d+)e(?P<e>\d{{1,2}})\b"
    rf"|(?P<digits>{_DIGITS})(?:\s{{0,2}}(?P<word>thousand|million|billion)\b)?",
    re.IGNORECASE,
)
_WORDS = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_AT_MOST = (
    r"(?:≤|<=|<|⩽|(?:is |are )?at most|(?:does |do )?not exceed|not exceeding|up to"
    r"|(?:is |are )?not? (?:more|greater|larger) than)"
)
_UNIT = re.compile(
    r"\s{0,2}(?:ms|s|seconds?|milliseconds?|mb|mib|kb|kib|gb|gib|megabytes?|bytes?|%)\b",
    re.IGNORECASE,
)
_SUM = re.compile(r"(?:\bsum\b|∑|\btotal\b)[^.\n]{0,40}$", re.IGNORECASE)
_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_NEAR = 60
_STATED_FROM = 100
"""Statements without a number this large state no bounds."""


def bound_fault(prompt: str, bounds: Mapping[str, int], main: int | None) -> str | None:
    """Return how the bounds differ from the statement's; None if nothing contradicts them.

    A bound must equal the statement's upper bound for its name. If the statement has none for the
    main one, it must be one of the statement's numbers.

    Args:
        prompt: The statement.
        bounds: The largest sizes, by name.
        main: The largest main size.
    """
    text = _plain(prompt)
    for name, value in bounds.items():
        stated = _upper_bounds(text, name)
        if stated and value not in stated and value + 1 not in stated:
            most = max(stated)
            return f"{name} = {value:,}, and the statement allows at most {most:,}; use its bound"
        if stated and value < max(stated) - 1:
            return (
                f"{name} = {value:,}, and the statement allows up to {max(stated):,}; "
                "use its largest bound"
            )
    named = any(_upper_bounds(text, name) for name, value in bounds.items() if value == main)
    if main is None or named:
        return None
    found = _NUMBER.finditer(text)  # apart from times and amounts of memory
    numbers = {_value(match) for match in found if not _UNIT.match(text, match.end())}
    if max(numbers, default=0) < _STATED_FROM or {main, main + 1} & numbers:
        return None
    return (
        f"the main size is {count(main)}, which is not a number of the statement; "
        "use the statement's bound"
    )


def _plain(prompt: str) -> str:
    """Return the statement without samples, in one notation."""
    text = _CODE.sub(" ", prompt[:_MOST_CHARS])
    text = re.sub(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda run: "^" + run[0].translate(_SUPERSCRIPTS), text)
    text = re.sub(r"<sup>(\d+)</sup>", r"^\1", text)
    text = re.sub(r"\\(?:leqslant|leq|le)(?![a-z])|&le;", "≤", text)
    text = re.sub(r"\\(?:cdot|times)(?![a-z])", "·", text)
    text = re.sub(r"\\[,;!]|\{,\}|[$`*_](?=[A-Za-z\s])|\\(?:text|mathrm)\b", "", text)
    return text.replace("{", " ").replace("}", " ").replace("$", " ")


def _upper_bounds(text: str, name: str) -> set[int]:
    """Return the upper bounds for a name, apart from those of sums."""
    found = set()
    others = r"(?:\s{0,3},\s{0,3}\w{1,30}){0,5}"
    pattern = rf"(?<!\w){re.escape(name)}{others}\s{{0,3}}{_AT_MOST}\s{{0,3}}"
    for match in re.finditer(pattern, text):
        number = _NUMBER.match(text, match.end())
        if number is not None and not _SUM.search(
            text[max(0, match.start() - _NEAR) : match.start()]
        ):
            found.add(_value(number))
    return found


def _value(match: re.Match[str]) -> int:
    if match["exponent"] or match["e"]:
        zeros = int(match["exponent"] or match["e"])
        return _whole(match["factor"] or match["mantissa"] or "1") * int("1" + "0" * zeros)
    return _whole(match["digits"]) * _WORDS.get((match["word"] or "").lower(), 1)


def _whole(digits: str) -> int:
    return int(re.sub(r"\D", "", digits)[:20])
