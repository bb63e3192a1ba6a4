"""The roles of models in authoring."""

from pathlib import Path

from pydantic import Field

from steelyard.models import Role, Temperature
from steelyard.schemas import Specification

__all__ = ["SPECIFIER", "SpecificationReply"]

_PROMPTS = Path(__file__).parent / "prompts"
_THINKING_TOKENS = 24_000
"""Room for a reasoning model's thinking, which counts as a part of its reply."""


class SpecificationReply(Specification):
    """A specification as a model writes it, with what the request leaves open."""

    questions: tuple[str, ...] = Field(default=(), max_length=20)
    """What the request leaves open, each with the decision that the specification makes."""
    nothing_asked: str = Field(default="", max_length=2_000)
    """Why the request asks for nothing that a function can compute; the other fields are void."""

    @property
    def specification(self) -> Specification:
        """The specification alone."""
        own = self.model_dump(include=set(Specification.model_fields))
        return Specification.model_validate(own)


SPECIFIER = Role(
    "specifier", "specifier", SpecificationReply, Temperature(0.0),
    _THINKING_TOKENS + 8_192, repairs=3, folder=_PROMPTS,
)  # fmt: skip
