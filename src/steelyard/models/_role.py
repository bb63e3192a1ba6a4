"""A role: what a model is asked to be, and the type of what it must answer."""

from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import BaseModel

__all__ = ["PROMPTS", "Role", "Temperature"]

R = TypeVar("R", bound=BaseModel)

PROMPTS = Path(__file__).parent / "prompts"
"""The folder of the project's own system prompts."""


@dataclass(frozen=True, slots=True)
class Temperature:
    """How much chance a role's replies have: a little more with every attempt."""

    start: float
    step: float = 0.0
    ceiling: float = 1.0

    def at(self, attempt: int) -> float:
        """The temperature of the attempt with this number, counted from 0."""
        return round(min(self.start + self.step * attempt, self.ceiling), 4)


@dataclass(frozen=True, slots=True)
class Role(Generic[R]):
    """One part that a model plays."""

    name: str
    prompt: str
    """The system prompt's file in `folder`, without `.j2`."""
    reply: type[R]
    """What a reply must be: a Pydantic model, validated strictly."""
    temperature: Temperature | None
    """None: the model's own."""
    max_tokens: int
    """The most tokens that a reply may have."""
    repairs: int = 2
    """How often a reply that does not do goes back to the model with the reason."""
    folder: Path = PROMPTS
