"""A completion's reward."""

from steelyard.schemas import ErrorResult, Record, VerifyResult


class Scored(Record):
    """One completion's reward, with what it rests on."""

    reward: float | None
    """None if there is no verdict: the machine failed, or the tests cannot be read."""
    reason: str
    """One line for people."""
    result: VerifyResult | None = None
    """The judgement; None if there is no verdict."""
    error: ErrorResult | None = None
    """The error, if there is no verdict."""

    @property
    def passed(self) -> bool:
        """True if the program passed every test."""
        return self.result is not None and self.result.passed
