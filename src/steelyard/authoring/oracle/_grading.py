"""Grade the oracle's validator on valid inputs and on inputs that break one constraint."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from steelyard.authoring.oracle._program import OracleProgram
from steelyard.schemas import OracleDifference, Share

__all__ = ["Grade", "grade"]

_MOST_SHOWN = 10
_MOST_ITEMS = 200
"""An input with more items is not shown."""

Args = tuple[JsonValue, ...]


@dataclass(frozen=True, slots=True)
class Grade:
    """The decisions of a validator on inputs whose validity is known."""

    valid_accepted: Share
    invalid_refused: Share
    differences: tuple[OracleDifference, ...]
    """Small inputs on which it errs."""

    @property
    def is_good(self) -> bool:
        """True if the validator may speak about inputs: it errs in less than a tenth of both."""
        shares = (self.valid_accepted, self.invalid_refused)
        return all(share.of and share.count >= 0.9 * share.of for share in shares)


def grade(
    program: OracleProgram, valid: Sequence[Args], invalid: Sequence[tuple[Args, str]]
) -> Grade:
    """Return how well a validator separates valid inputs from others.

    Args:
        program: The oracle's program.
        valid: Inputs that satisfy the specification.
        invalid: Inputs that break one constraint, with that constraint.

    Raises:
        InfrastructureError: if the machine failed.
    """
    decisions = program.accepts([*valid, *(args for args, _ in invalid)])
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
    )


def _size(value: object) -> int:
    if isinstance(value, list | tuple):
        return 1 + sum(map(_size, value)) if len(value) <= _MOST_ITEMS else len(value)
    return 1 + len(value) // 10 if isinstance(value, str) else 1
