"""The states of a challenge."""

from collections.abc import Mapping
from typing import Final

from steelyard.schemas import ChallengeState

NEXT_STATES: Final[Mapping[ChallengeState, frozenset[ChallengeState]]] = {
    "open": frozenset({"quarantined", "accepted", "rejected", "disputed"}),
    "quarantined": frozenset({"accepted", "rejected", "disputed"}),
    "accepted": frozenset({"disputed"}),
    "disputed": frozenset({"accepted", "rejected"}),
    "rejected": frozenset(),
}
"""The states that can follow each state. The first one is `open`."""
