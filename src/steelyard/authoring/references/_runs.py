"""Run solutions, and remember what each did: only a repaired one runs again."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from steelyard.authoring.calls import Answers, Args, Callee, CallOutcome, Fault, compiled
from steelyard.authoring.specification import static_faults
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits, Record, ReferenceRole, Specification
from steelyard.strength import ALIKE, likeness_of
from steelyard.toolchains import find_toolchain
from steelyard.values import digest_of


class WrittenSolution(Record):
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

    program: WrittenSolution
    callee: Callee

    @property
    def name(self) -> str:
        """The solution's name."""
        return self.program.name


class SolutionRuns:
    """The solutions of one specification, and what they did so far.

    Args:
        spec: The specification.
        pool: Where solutions run.
        limits: Limits of a call in place of those of the role.
        on_calls: Called before a solution runs, with its name and the number of inputs.
    """

    def __init__(
        self,
        spec: Specification,
        pool: CellPool,
        limits: Limits | None = None,
        on_calls: Callable[[str, int], None] = lambda _name, _count: None,
    ) -> None:
        self.spec, self.answers = spec, Answers(spec)
        self._pool, self._limits, self._on_calls = pool, limits, on_calls
        self._voices: dict[tuple[str, str], Voice | Fault] = {}
        self._copies: dict[tuple[str, str], bool] = {}
        self._alone: dict[tuple[str, str], dict[str, CallOutcome]] = {}

    def voice(self, program: WrittenSolution) -> Voice | Fault:
        """Return a solution behind the gate, or why it cannot be run.

        Raises:
            InfrastructureError: if the machine failed.
        """
        key = program.name, program.source
        if key not in self._voices:
            self._voices[key] = voice_of(program, self.spec, self._pool, self._limits)
        return self._voices[key]

    def is_copy(self, one: WrittenSolution, other: WrittenSolution) -> bool:
        """Return True if two solutions share nearly all of their syntax: one idea, not two.

        Raises:
            InfrastructureError: if the machine failed.
        """
        key = (one.source, other.source)
        if key not in self._copies:
            share = likeness_of(
                one.source.encode(), other.source.encode(), self._pool, find_toolchain("python")
            )
            self._copies[key] = share is not None and share >= ALIKE
        return self._copies[key]

    def outcomes(self, voice: Voice, inputs: Sequence[Args]) -> list[CallOutcome]:
        """Return what a solution does with each input, in processes of their own.

        Raises:
            InfrastructureError: if the machine failed.
        """
        known = self._alone.setdefault((voice.name, voice.program.source), {})
        digests = [digest_of(args) for args in inputs]
        new = {
            digest: args
            for digest, args in zip(digests, inputs, strict=True)
            if digest not in known
        }
        if new:
            self._on_calls(voice.name, len(new))
        known.update(zip(new, self.answers.outcomes(voice.callee, list(new.values())), strict=True))
        return [known[digest] for digest in digests]

    def together(self, voice: Voice, inputs: Sequence[Args]) -> list[CallOutcome]:
        """Return what a solution does with each input; calls share processes.

        Raises:
            InfrastructureError: if the machine failed.
        """
        self._on_calls(voice.name, len(inputs))
        return self.answers.outcomes(voice.callee, inputs, together=True)


LIMITS: dict[ReferenceRole, Limits] = {
    "optimised": Limits(cpu_ms=2_000, output_mib=10),
    "given": Limits(cpu_ms=2_000, output_mib=10),
    "brute-force": Limits(cpu_ms=4_000, output_mib=10),
    "alternative": Limits(cpu_ms=4_000, output_mib=10),
}
"""The limits of one case by role."""


def voice_of(
    program: WrittenSolution, spec: Specification, pool: CellPool, limits: Limits | None = None
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
    program = WrittenSolution(name="", role="alternative", source=source)
    found = voice_of(program, spec, pool)
    return found.text if isinstance(found, Fault) else None
