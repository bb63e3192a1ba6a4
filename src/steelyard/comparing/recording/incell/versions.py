"""Both versions, as a run is given them."""

from __future__ import annotations

from steelyard.comparing.incell.told import BothVersions

Files = dict[str, "bytes | None"]
"""What files hold; None: there is no such file."""


def both(versions: BothVersions) -> tuple[Files, Files]:
    """The files in which the versions differ: the original's first."""
    return versions.original, versions.candidate
