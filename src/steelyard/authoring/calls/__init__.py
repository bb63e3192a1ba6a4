"""Call Python programs that a model or a user wrote, in cells, and read what they answer."""

from steelyard.authoring.calls._answers import Answers, Outcome
from steelyard.authoring.calls._callee import Callee, Fault, compiled
from steelyard.authoring.calls._shown import shown_call, shown_value

__all__ = [
    "Answers",
    "Callee",
    "Fault",
    "Outcome",
    "compiled",
    "shown_call",
    "shown_value",
]
