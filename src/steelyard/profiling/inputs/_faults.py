"""Describe a generator's fault in one line that ends in what to do."""

from collections.abc import Mapping

from steelyard.errors import GeneratorError
from steelyard.profiling._records import Point
from steelyard.rendering import visible
from steelyard.schemas import Execution, Limits, StopReason

_MOST_CHARS = 200

_TEXTS: Mapping[object, str] = {
    "absent": "defines no function generate; define generate(n, seed), or generate(n, seed, m)",
    "signature": "defines generate{text}, which cannot be called as generate(n, seed); "
    "change its parameters",
    "no-m": "has no parameter m; define generate(n, seed, m), or leave m out",
    "needs-m": "requires m; give its bounds, or write generate(n, seed, m=None)",
    "syntax": "is not valid Python: {text}; fix the line",
    "loading": "raises {text}; correct this line of it",
    "raised": "raises {text}; correct this line of it",
    "bound": "sets {text}; use a whole number",
    "nothing": "returns None; return the input",
    "printed": "prints its input and returns nothing; return the text instead",
    "empty": "returns an empty input; return what the program will read",
    "type": "returns {text}; return the input as str or bytes",
    "unicode": "returns text that is not Unicode ({text}); return bytes",
    "arguments": "returns {text} instead of arguments; return a list or tuple of them, or "
    '{{"args": [...], "kwargs": {{...}}}}',
    "plain": "returns {text}; return plain values",
}
_NAMES_SIZE = frozenset(
    {"raised", "nothing", "printed", "empty", "type", "unicode", "arguments", "plain"}
)
_OF_SIZE = frozenset({"raised", "nothing", "empty", "type"})
"""Faults that a module may have at one size only."""


def error_of_record(
    name: str, record: Mapping[str, object], point: Point | None, *, is_smallest: bool = False
) -> GeneratorError:
    """Return the error for a fault that the cell's script found (incell/generate.py).

    Args:
        name: The generator's name.
        record: As the script wrote it.
        point: The requested size, if any.
        is_smallest: Whether no smaller size is asked for: the module may have none so small.
    """
    what, line = record.get("what"), record.get("line")
    text = str(record.get("text"))[:_MOST_CHARS]
    place = f"{name}, line {line}," if line else name
    if point is not None and what in _NAMES_SIZE:
        place = f"{place} at {point}"
    unknown = "cannot be used ({text}); make generate(n, seed) return text or bytes"
    template = _TEXTS.get(what, unknown)
    larger = ", or start at a larger n with --min-n" if is_smallest and what in _OF_SIZE else ""
    return GeneratorError(visible(f"{place} {template.format(text=text)}{larger}"))


def error_of_end(
    name: str, execution: Execution, point: Point | None, limits: Limits
) -> GeneratorError:
    """Return the error for a process that was stopped or gave no answer."""
    where = f" at {point}" if point else ""
    match execution.stop:
        case StopReason.CPU_LIMIT | StopReason.WALL_LIMIT:
            cpu = execution.stop is StopReason.CPU_LIMIT
            seconds = (limits.cpu_ms if cpu else limits.wall_ms) / 1000
            text = f"did not finish within {seconds:g} s; make it faster or lower n"
        case StopReason.MEMORY_LIMIT:
            text = f"needs more than {limits.memory_mib} MiB of memory; lower n"
        case StopReason.OUTPUT_LIMIT:
            text = f"returns more than {limits.output_mib} MiB; lower n"
        case StopReason.SIGNALED:
            text = f"was ended by signal {execution.signal}; lower its use of memory and recursion"
        case _:
            text = f"ends the process (exit status {execution.exit_code}); make it return instead"
    return GeneratorError(f"{name}{where} {text}")
