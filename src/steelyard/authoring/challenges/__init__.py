"""Challenge a problem with an input: it is judged, and whatever it shows wrong is repaired."""

from steelyard.authoring.challenges._challenge import challenge, read_output, resolve
from steelyard.authoring.challenges._healing import Healer, open_healer

__all__ = ["Healer", "challenge", "open_healer", "read_output", "resolve"]
