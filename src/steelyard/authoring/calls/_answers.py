"""Read the answers of solutions, and compare them as the specification asks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import JsonValue

from steelyard.authoring.calls._callee import Called, Callee
from steelyard.judging import value_checker_for
from steelyard.plain import parse_type, plain_of
from steelyard.schemas import Specification, TestCase, values

How = Literal["answer", "raised", "slow", "memory", "output", "lost", "skipped", "type"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a solution's call with one input."""

    how: How
    """`answer`, or why there is none; `type`: the value is not of the type that is asked for."""
    value: JsonValue = None
    """The answer, with lists for tuples."""
    wire: bytes = b""
    """The answer as checkers take it."""
    message: str = ""
    cpu_ms: float = 0.0

    @property
    def spent_ms(self) -> float:
        """CPU time up to an answer or a time limit; 0 if the call ended otherwise."""
        return self.cpu_ms if self.how in ("answer", "slow") else 0.0

    @property
    def answered(self) -> bool:
        """True if it gave an answer of the right type."""
        return self.how == "answer"


class Answers:
    """Calls solutions of one specification, and compares what they answer.

    Args:
        spec: The specification.
    """

    def __init__(self, spec: Specification) -> None:
        self._parameters = [parse_type(each.type) for each in spec.parameters]
        self._returns = parse_type(spec.returns)
        self._in_place = spec.output_type == "in-place"
        self._exact = spec.output_type == "exact"
        self._checker = value_checker_for(spec.match_mode, sequences_alike=not self._exact)

    def outcomes(
        self, solution: Callee, inputs: Sequence[Sequence[JsonValue]], *, together: bool = False
    ) -> list[Outcome]:
        """Return what a solution does with each input.

        Args:
            solution: The solution.
            inputs: The arguments of each call, valid ones.
            together: Let calls share processes: far cheaper, but state may pass between them.

        Raises:
            InfrastructureError: if the machine failed.
        """
        calls = [
            [kind.value_of(each) for kind, each in zip(self._parameters, args, strict=True)]
            for args in inputs
        ]
        call = solution.call_together if together else solution.call
        return [self._read(each) for each in call(calls, back=self._in_place)]

    def stated(self, value: JsonValue) -> Outcome:
        """Return the outcome of a solution that gives this answer.

        Raises:
            ValueError: if it is not of the type that the specification returns.
        """
        fault = self._returns.fault_of(value)
        if fault is not None:
            raise ValueError(fault)
        return Outcome("answer", value, self._wire(value))

    def alike(self, one: Outcome, other: Outcome) -> bool:
        """Return True if both gave an answer, and the answers are equal for the specification."""
        if not (one.answered and other.answered):
            return False
        if one.wire == other.wire:
            return True
        return self._checker.check(TestCase(expected=one.wire), other.wire).passed

    def _read(self, called: Called) -> Outcome:
        if called.how != "ok":
            return Outcome(called.how, message=called.message, cpu_ms=called.cpu_ms)  # type: ignore[arg-type]
        try:
            value, *after = plain_of(b"[" + called.value + b"]")
            if self._in_place:
                value = after[0][0]
        except (ValueError, LookupError, TypeError) as error:
            return Outcome("type", message=f"returned {error}", cpu_ms=called.cpu_ms)
        plain = _with_lists(value)
        fault = self._returns.fault_of(plain)
        if fault is None and self._exact and values.encode(value) != self._encoded(plain):
            fault = f"a list and a tuple are mixed up, expected {self._returns}"
        if fault is not None:
            return Outcome("type", message=f"returned a wrong type: {fault}", cpu_ms=called.cpu_ms)
        return Outcome("answer", plain, self._wire(plain), cpu_ms=called.cpu_ms)

    def _wire(self, plain: JsonValue) -> bytes:
        return f'["ok",{self._encoded(plain)}]'.encode()

    def _encoded(self, plain: JsonValue) -> str:
        return values.encode(self._returns.value_of(plain))


def _with_lists(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_with_lists(each) for each in value]
    if isinstance(value, dict):
        return {key: _with_lists(each) for key, each in value.items()}
    return value
