"""Word findings and their figures."""

from __future__ import annotations

from steelyard._printable import printable
from steelyard.schemas import PruneFinding

_LONGEST_EVIDENCE = 160
_LONGEST_MESSAGE = 300
_MOST_SHOWN = 1e300


def finding(rule: str, evidence: str, message: str) -> PruneFinding:
    """Return a finding with its evidence on one line, shortened and without control characters."""
    shown = " ".join(printable(" ".join(evidence[:2_000].split())).split())
    if len(shown) > _LONGEST_EVIDENCE:
        shown = shown[: _LONGEST_EVIDENCE - 1] + "…"
    return PruneFinding(rule=rule, evidence=shown, message=printable(message)[:_LONGEST_MESSAGE])


def count(value: float) -> str:
    """Return a count as people write it: `100,000`, `1e15`."""
    if value < 1e7:
        return f"{round(value):,}"
    if not value < _MOST_SHOWN:
        return "more than 1e300"
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa.removesuffix('.0')}e{int(exponent)}"


def mebibytes(size_bytes: float) -> str:
    """Return bytes as MiB."""
    return f"{count(size_bytes / 2**20)} MiB"
