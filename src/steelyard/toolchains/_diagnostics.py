"""Read a compiler's output as `Diagnostic` records.

The text is hostile: a source can add text of its own (`#error`, `#line`, `.print`). So nothing
here decides whether a program compiled; the compiler's exit status does. The parsers are linear
and bounded, and forged text can add to a source's warnings but never hide one.
"""

from collections.abc import Callable, Mapping

from steelyard.schemas import Execution, Limits, StopReason
from steelyard.toolchains._diagnostics_gcc import read_gcc
from steelyard.toolchains._diagnostics_python import read_python
from steelyard.toolchains._diagnostics_rustc import read_rustc
from steelyard.toolchains._diagnostics_text import (
    read_clang,
    read_go,
    read_javac,
    read_node,
    read_text,
)
from steelyard.toolchains._findings import Findings
from steelyard.toolchains._table import DiagnosticsFormat

_READERS: Mapping[DiagnosticsFormat, Callable[[str, Findings], None]] = {
    "gcc": read_gcc,
    "clang": read_clang,
    "rustc": read_rustc,
    "javac": read_javac,
    "node": read_node,
    "go": read_go,
    "python": read_python,
    "text": read_text,
}
_FALLBACK_CHARS = 400


def read_diagnostics(
    form: DiagnosticsFormat, execution: Execution, source: str, limits: Limits
) -> Findings:
    """Return what a compile's output contains, and the limit that ended it, if any.

    Args:
        form: The compiler's own format.
        execution: The compile.
        source: The source file's name.
        limits: The compile's limits.
    """
    succeeded = execution.stop is StopReason.EXITED and execution.exit_code == 0
    findings = Findings(source, succeeded)
    reached = _limit_reached(execution, limits)
    if reached:
        findings.add("error", reached)
    output = execution.stdout if form == "python" else execution.stderr
    text = output.decode(errors="replace")
    _READERS[form](text, findings)
    if succeeded and (execution.stdout_truncated or execution.stderr_truncated):
        findings.add("warning", "the compiler printed more than its output limit")
    if not succeeded and not findings.errors:
        findings.add("error", _last_words(execution))
    return findings


def _limit_reached(execution: Execution, limits: Limits) -> str:
    match execution.stop:
        case StopReason.CPU_LIMIT:
            return f"compiling took more than {limits.cpu_ms} ms of CPU time"
        case StopReason.WALL_LIMIT:
            return f"compiling took more than {limits.wall_ms} ms"
        case StopReason.MEMORY_LIMIT:
            return f"compiling took more than {limits.memory_mib} MiB of memory"
        case StopReason.OUTPUT_LIMIT:
            return f"the compiler printed more than {limits.output_mib} MiB"
        case _:
            return ""


def _last_words(execution: Execution) -> str:
    """Return a reason if the compiler gave none in its own format."""
    text = (execution.stderr or execution.stdout).decode(errors="replace").strip()
    if execution.signal is not None:
        return f"the compiler was ended by signal {execution.signal} {text[:_FALLBACK_CHARS]}"
    return text[-_FALLBACK_CHARS:] or f"the compiler ended with status {execution.exit_code}"
