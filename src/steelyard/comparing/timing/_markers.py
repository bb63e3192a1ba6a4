"""Timing markers in what a run prints, as the known way has them: `!######<id>:<ns>######!`.

Whoever can print can print a marker. What counts is what the run's own channel tells; a marker
that says something else is a forgery.
"""

import re
from typing import NamedTuple

_MARKER = re.compile(r"!######([^\n#]{1,4096}):([0-9]{1,18})######!")


class Marker(NamedTuple):
    """One call's time."""

    id: str
    """As `FunctionTestInvocation.unique_invocation_loop_id` has it."""
    duration_ns: int


def markers_in(text: str) -> list[Marker]:
    """The markers in a text, in order."""
    return [Marker(found[1], int(found[2])) for found in _MARKER.finditer(text)]


def forged_among(markers: list[Marker], trusted_ns: dict[str, int]) -> list[Marker]:
    """The markers that nobody but the candidate can have printed.

    Args:
        markers: Out of what a run printed.
        trusted_ns: Times by call, as the run's own channel told them.
    """
    return [each for each in markers if trusted_ns.get(each.id) != each.duration_ns]
