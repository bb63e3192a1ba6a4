"""Run solutions, and remember what each did: only a repaired one runs again."""

from collections.abc import Sequence

from pydantic import JsonValue

from steelyard.authoring.calls import Answers, Fault, Outcome
from steelyard.authoring.plain import digest_of
from steelyard.authoring.references._voice import Program, Voice, voice_of
from steelyard.sandbox import CellPool
from steelyard.schemas import Specification

__all__ = ["Runs"]

Args = tuple[JsonValue, ...]


class Runs:
    """The solutions of one specification, and what they did so far.

    Args:
        spec: The specification.
        pool: Where solutions run.
    """

    def __init__(self, spec: Specification, pool: CellPool) -> None:
        self.spec, self.answers = spec, Answers(spec)
        self._pool = pool
        self._voices: dict[tuple[str, str], Voice | Fault] = {}
        self._alone: dict[tuple[str, str], dict[str, Outcome]] = {}

    def voice(self, program: Program) -> Voice | Fault:
        """Return a solution behind the gate, or why it cannot be run.

        Raises:
            InfrastructureError: if the machine failed.
        """
        key = program.name, program.source
        if key not in self._voices:
            self._voices[key] = voice_of(program, self.spec, self._pool)
        return self._voices[key]

    def outcomes(self, voice: Voice, inputs: Sequence[Args]) -> list[Outcome]:
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
        known.update(zip(new, self.answers.outcomes(voice.callee, list(new.values())), strict=True))
        return [known[digest] for digest in digests]

    def together(self, voice: Voice, inputs: Sequence[Args]) -> list[Outcome]:
        """Return what a solution does with each input; calls share processes.

        Raises:
            InfrastructureError: if the machine failed.
        """
        return self.answers.outcomes(voice.callee, inputs, together=True)
