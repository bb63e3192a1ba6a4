"""Challenge a problem with an input: it is judged, and whatever it shows wrong is repaired."""

from steelyard.authoring.challenges._challenge import challenge, resolve
from steelyard.authoring.challenges._reading import read_output

__all__ = ["challenge", "read_output", "resolve"]
