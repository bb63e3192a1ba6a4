"""A role of a model: its prompt, and the type of its replies."""

from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import BaseModel

R = TypeVar("R", bound=BaseModel)

PROMPTS = Path(__file__).parent / "prompts"
"""The folder of the project's own system prompts."""


@dataclass(frozen=True, slots=True)
class Temperature:
    """The temperature of a role's replies, which rises with every attempt."""

    start: float
    step: float = 0.0
    ceiling: float = 1.0

    def at(self, attempt: int) -> float:
        """Return the temperature of this attempt, counted from 0."""
        return round(min(self.start + self.step * attempt, self.ceiling), 4)


@dataclass(frozen=True, slots=True)
class Role(Generic[R]):
    """One role of a model."""

    name: str
    prompt: str
    """The system prompt's file in `folder`, without `.j2`."""
    reply: type[R]
    """The type of a reply: a Pydantic model, validated strictly."""
    temperature: Temperature | None
    """None for the model's default."""
    max_tokens: int
    """Limit on a reply's tokens, those of its thinking included."""
    repairs: int = 2
    """How many times an invalid reply goes back to the model with the reason."""
    program_field: str = ""
    """The field that a fenced code block fills; empty if the reply must be JSON."""
    folder: Path = PROMPTS
