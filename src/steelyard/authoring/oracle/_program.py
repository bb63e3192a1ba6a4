"""Run the oracle's two functions in cells."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from steelyard.authoring.calls import Callee, Fault, compiled
from steelyard.plain import PlainType, plain_of
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits
from steelyard.schemas import Shape as Required

_GENERATING = Limits(cpu_ms=6_000, memory_mib=512, output_mib=10)
_VALIDATING = Limits(cpu_ms=6_000, memory_mib=512, output_mib=1)


@dataclass(frozen=True, slots=True)
class OracleProgram:
    """A program with `generate_inputs` and `is_valid_input`, behind the gate."""

    generator: Callee
    validator: Callee
    types: tuple[PlainType, ...]
    """The parameters' types."""

    @classmethod
    def of(cls, source: str, types: Sequence[PlainType], pool: CellPool) -> "OracleProgram | Fault":
        """Return the program, or why it cannot be used.

        Args:
            source: The model's text.
            types: The parameters' types.
            pool: Where it runs.

        Raises:
            InfrastructureError: if the machine failed.
        """
        validating = Required(name="is_valid_input", parameters=len(types))
        generator = compiled(
            source, "function:generate_inputs", pool=pool, limits=_GENERATING, also=(validating,)
        )
        if isinstance(generator, Fault):
            return generator
        validator = compiled(
            source, "function:is_valid_input", pool=pool, limits=_VALIDATING, parameters=len(types)
        )
        if isinstance(validator, Fault):
            return validator
        return cls(generator, validator, tuple(types))

    def generate(self) -> object | Fault:
        """Return what `generate_inputs` returns, as plain data.

        Raises:
            InfrastructureError: if the machine failed.
        """
        called = self.generator.call([()])[0]
        if called.how != "ok":
            return Fault(f"generate_inputs(): {called.message}")
        try:
            value: object = plain_of(b"[" + called.value + b"]")[0]
        except ValueError as error:
            return Fault(f"generate_inputs() returned {error}")
        return value

    def accepts(self, inputs: Sequence[Sequence[JsonValue]]) -> list[bool | None]:
        """Return the decision of `is_valid_input` on each input; None where it failed.

        Raises:
            InfrastructureError: if the machine failed.
        """
        calls = [
            [
                kind.value_of(each) if kind.fault_of(each) is None else each
                for kind, each in zip(self.types, args, strict=False)
            ]
            for args in inputs
        ]
        decisions = {b"true": True, b"false": False}
        return [
            decisions.get(called.value) if called.how == "ok" else None
            for called in self.validator.call_together(calls)
        ]
