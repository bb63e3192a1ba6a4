"""Grade the oracle's validator on valid inputs and on inputs that break one constraint."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from steelyard.authoring.oracle._program import OracleProgram
from steelyard.schemas import OracleDifference, Share

_MOST_SHOWN = 10
_MOST_MISSED = 1.1
_MOST_ITEMS = 200
"""An input with more items is not shown."""

Args = tuple[JsonValue, ...]


@dataclass(frozen=True, slots=True)
class KnownInputs:
    """Inputs whose validity is known."""

    valid: Sequence[Args]
    """They satisfy all constraints."""
    invalid: Sequence[tuple[Args, str]]
    """Each breaks one constraint, which follows it."""
    examples: Sequence[Args] = ()
    """Those of the specification."""


@dataclass(frozen=True, slots=True)
class Grade:
    """The decisions of a validator on inputs whose validity is known."""

    valid_accepted: Share
    invalid_refused: Share
    differences: tuple[OracleDifference, ...]
    """Small inputs on which it errs."""

    accepts_examples: bool
    """True if it accepts every example, which its author states."""

    @property
    def speaks(self) -> bool:
        """True if it may speak about inputs that the constraints allow.

        It knows the constraints, since it refuses nearly all inputs that break one, and it does
        not simply refuse everything. What else it refuses is evidence.
        """
        refused = self.invalid_refused
        return self.accepts_examples and 0 < refused.of <= _MOST_MISSED * refused.count


def grade(program: OracleProgram, known: KnownInputs) -> Grade:
    """Return how well a validator separates valid inputs from others.

    Args:
        program: The oracle's program.
        known: Inputs whose validity is known.

    Raises:
        InfrastructureError: if the machine failed.
    """
    valid, invalid, examples = known.valid, known.invalid, known.examples
    decisions = program.accepts([*examples, *valid, *(args for args, _ in invalid)])
    on_examples, decisions = decisions[: len(examples)], decisions[len(examples) :]
    on_valid, on_invalid = decisions[: len(valid)], decisions[len(valid) :]
    wrong = [
        OracleDifference(args=args, accepted=decision)
        for args, decision in zip(valid, on_valid, strict=True)
        if decision is not True
    ]
    wrong += [
        OracleDifference(args=args, broken=(broken,), accepted=decision)
        for (args, broken), decision in zip(invalid, on_invalid, strict=True)
        if decision is not False
    ]
    small = [each for each in wrong if _size(each.args) <= _MOST_ITEMS]
    return Grade(
        valid_accepted=Share(count=on_valid.count(True), of=len(valid)),
        invalid_refused=Share(count=on_invalid.count(False), of=len(invalid)),
        differences=tuple(small[:_MOST_SHOWN]),
        accepts_examples=all(on_examples),
    )


def _size(value: object) -> int:
    if isinstance(value, list | tuple):
        return 1 + sum(map(_size, value)) if len(value) <= _MOST_ITEMS else len(value)
    return 1 + len(value) // 10 if isinstance(value, str) else 1
