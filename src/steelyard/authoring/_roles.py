"""The roles of models in authoring."""

from pathlib import Path

from pydantic import Field

from steelyard.models import Role, Temperature
from steelyard.schemas import Record, Specification

_PROMPTS = Path(__file__).parent / "prompts"
_THINKING_TOKENS = 24_000
"""Room for a reasoning model's thinking, which counts as a part of its reply."""
_PROGRAM_TOKENS = _THINKING_TOKENS + 8_192


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


class ProgramReply(Record):
    """A Python program."""

    code: str = Field(min_length=1, max_length=200_000)


class InputsReply(Record):
    """Inputs that are meant to show a difference."""

    inputs: tuple[str, ...] = Field(max_length=50)
    """Each an expression of a list of arguments."""
    why: tuple[str, ...] = Field(default=(), max_length=50)


SPECIFIER = Role(
    "specifier",
    "specifier",
    SpecificationReply,
    Temperature(0.0),
    _THINKING_TOKENS + 8_192,
    repairs=3,
    folder=_PROMPTS,
)


def _program(name: str, temperature: Temperature, repairs: int = 1) -> Role[ProgramReply]:
    return Role(
        name,
        name,
        ProgramReply,
        temperature,
        _PROGRAM_TOKENS,
        repairs=repairs,
        program_field="code",
        folder=_PROMPTS,
    )


ORACLE = _program("oracle", Temperature(0.5, 0.2, 0.9), repairs=0)
OPTIMISED = _program("optimised", Temperature(0.2))
BRUTE_FORCE = _program("bruteforce", Temperature(0.2))
ALTERNATIVE = _program("alternative", Temperature(0.2))
HEALER = _program("healer", Temperature(0.1))
BREAKER = Role(
    "breaker", "breaker", InputsReply, Temperature(0.5), _PROGRAM_TOKENS, folder=_PROMPTS
)

MODEL_OF = {
    "healer": "optimised",
    "alternative": "bruteforce",
    "oracle": "specifier",
    "breaker": "specifier",
}
"""The role whose model answers, for roles without a model of their own."""
