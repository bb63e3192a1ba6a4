"""A problem stated so exactly that tests can be derived from it."""

from typing import Annotated, Literal

from pydantic import Field, JsonValue, StringConstraints, model_validator

from steelyard.schemas._base import Given
from steelyard.schemas._canonical import canonical_json, sha256_of

OutputType = Literal["value", "exact", "in-place"]
"""What counts as the answer. `value`: the value returned, where a tuple equals a list with the
same items. `exact`: the value returned, and its types must match `returns`. `in-place`: the first
argument after the call; `returns` is its type."""

SpecMatch = Literal["exact", "numeric", "unordered"]
"""How answers are compared: as `match_mode` of calls."""

StaticRule = Annotated[
    str,
    StringConstraints(
        pattern=r"^no (import|loop|comprehension|recursion"
        r"|(call|method|module) [A-Za-z_][A-Za-z0-9_.]*)$"
    ),
]
"""Something that the source of a solution must not use: `no import`, `no loop`, `no comprehension`,
`no recursion`, `no call sorted`, `no method sort`, `no module heapq`."""

Line = Annotated[str, StringConstraints(min_length=1, max_length=1_000)]


class Parameter(Given):
    """One parameter of `solve`."""

    name: Annotated[str, StringConstraints(pattern=r"^[a-z][A-Za-z0-9_]{0,39}$")]
    type: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    """A type of plain values: `int`, `float`, `bool`, `str`, `list[T]`, `dict[str, T]`,
    `tuple[A, B]` and `T | None`."""


class SpecExample(Given):
    """A call with its answer, as the author states it."""

    args: tuple[JsonValue, ...]
    expected: JsonValue
    explanation: str = Field(default="", max_length=5_000)


class Specification(Given):
    """The contract of `class Solution: def solve(self, ...)`.

    A suite's validator, its inputs and its prose are all derived from `parameters` and
    `constraints`.
    """

    title: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    description: Annotated[str, StringConstraints(min_length=1, max_length=50_000)]
    parameters: tuple[Parameter, ...] = Field(min_length=1, max_length=12)
    returns: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    """The answer's type, written as a parameter's."""
    constraints: tuple[Line, ...] = Field(default=(), max_length=60)
    """What holds for every input: Python expressions of the closed language."""
    examples: tuple[SpecExample, ...] = Field(default=(), max_length=50)
    """The statement's own examples, which are the truth about the problem."""
    starter_code: str = Field(default="", max_length=5_000)
    """`class Solution` with the signature of `solve`; empty: derived from the parameters."""
    match_mode: SpecMatch = "exact"
    output_type: OutputType = "value"
    static_rules: tuple[StaticRule, ...] = Field(default=(), max_length=20)
    tags: tuple[Annotated[str, StringConstraints(max_length=50)], ...] = Field(
        default=(), max_length=20
    )

    @model_validator(mode="after")
    def _names_are_unique(self) -> "Specification":
        names = [parameter.name for parameter in self.parameters]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice:
            raise ValueError(f"two parameters have the name {twice!r}; rename one")
        for number, example in enumerate(self.examples, 1):
            if len(example.args) != len(names):
                raise ValueError(
                    f"example {number} has {len(example.args)} arguments and solve takes "
                    f"{len(names)}; give one for each parameter"
                )
        return self

    @property
    def digest(self) -> str:
        """SHA-256 over the canonical JSON of the fields that differ from their defaults.

        A field that a later version adds changes no digest.
        """
        return sha256_of(canonical_json(self.model_dump(mode="json", exclude_defaults=True)))
