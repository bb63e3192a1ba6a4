"""A solution with a vote on expected outputs."""

from dataclasses import dataclass

from steelyard.authoring.calls import Callee, Fault, compiled
from steelyard.authoring.specification import static_faults
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits, Record, ReferenceRole, Specification

LIMITS: dict[ReferenceRole, Limits] = {
    "optimised": Limits(cpu_ms=2_000, output_mib=10),
    "given": Limits(cpu_ms=2_000, output_mib=10),
    "brute-force": Limits(cpu_ms=4_000, output_mib=10),
    "alternative": Limits(cpu_ms=4_000, output_mib=10),
}
"""The limits of one case by role."""


class Program(Record):
    """A solution's text, and its history."""

    name: str
    role: ReferenceRole
    source: str
    healed: int = 0
    """Times that it was repaired."""
    fault: str = ""
    """The reason why it cannot be run."""


@dataclass(frozen=True, slots=True)
class Voice:
    """A solution that can be called."""

    program: Program
    callee: Callee

    @property
    def name(self) -> str:
        """The solution's name."""
        return self.program.name


def voice_of(
    program: Program, spec: Specification, pool: CellPool, limits: Limits | None = None
) -> Voice | Fault:
    """Return a solution behind the gate and the static rules, or why it cannot be run.

    A user's own solution may import modules; a model's may not.

    Args:
        program: The solution.
        spec: The specification.
        pool: Where it runs.
        limits: Limits of a call; None for those of its role.

    Raises:
        InfrastructureError: if the machine failed.
    """
    callee = compiled(
        program.source,
        "class:Solution.solve",
        pool=pool,
        limits=limits or LIMITS[program.role],
        parameters=len(spec.parameters),
        imports=program.role == "given",
    )
    if isinstance(callee, Fault):
        return callee
    broken = static_faults(program.source, spec.static_rules)
    return Fault(broken[0]) if broken else Voice(program, callee)


def fault_of_program(source: str, spec: Specification, pool: CellPool) -> str | None:
    """Return why a model's solution is refused by the gate; None if it is not.

    Raises:
        InfrastructureError: if the machine failed.
    """
    program = Program(name="", role="alternative", source=source)
    found = voice_of(program, spec, pool)
    return found.text if isinstance(found, Fault) else None
