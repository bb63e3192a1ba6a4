"""Ask models for solutions, each behind the gate, and for repairs."""

from collections.abc import Mapping
from typing import Any

from steelyard.authoring._roles import (
    ALTERNATIVE,
    BRUTE_FORCE,
    HEALER,
    OPTIMISED,
    ProgramReply,
)
from steelyard.authoring.calls import shown_call, shown_value
from steelyard.authoring.references._runs import WrittenSolution, fault_of_program
from steelyard.authoring.references._voting import Split
from steelyard.errors import ReplyError
from steelyard.models import Role
from steelyard.runs import Run
from steelyard.schemas import ReferenceRole, Specification

_ROLES: dict[ReferenceRole, Role[ProgramReply]] = {
    "optimised": OPTIMISED,
    "brute-force": BRUTE_FORCE,
    "alternative": ALTERNATIVE,
}


class SolutionWriter:
    """Asks for solutions of one specification.

    Args:
        run: Asks the models, and keeps what the gate found.
        spec: The specification.
        statement: The problem in prose, for models.
    """

    def __init__(self, run: Run, spec: Specification, statement: str) -> None:
        self._run, self.spec, self._statement = run, spec, statement
        self._known: dict[str, str] = {}

    async def write(self, role: ReferenceRole, name: str) -> WrittenSolution:
        """Return a solution, written without sight of any other; its fault if there is none.

        Raises:
            BudgetError, ModelError: as in `Run.ask`.
            InfrastructureError: if the machine failed.
        """
        self._run.notify("solve", name)
        source, fault = await self._asked(_ROLES[role], {"problem": self._statement})
        return WrittenSolution(name=name, role=role, source=source, fault=fault)

    async def heal(
        self,
        program: WrittenSolution,
        split: Split,
        right: Any,
        why: str,
        rejected: WrittenSolution | None = None,
    ) -> WrittenSolution:
        """Return a repaired solution; its fault if the reply cannot be used.

        Args:
            program: The solution.
            split: A small input on which its answer is not right.
            right: The right answer.
            why: The reason why that one is right.
            rejected: A repair of this program that was no better, or has a fault.

        Raises:
            BudgetError, ModelError: as in `Run.ask`.
            InfrastructureError: if the machine failed.
        """
        own = next(each for each in split.readings if program.name in each.solutions)
        answer = shown_value(own.answer) if own.how == "answer" else f"no answer: {own.how}"
        self._run.notify("heal", f"{program.name}: {shown_call(split.args)} gives {answer}")
        data = {
            "problem": self._statement,
            "program": program.source,
            "input": shown_call(split.args),
            "answer": answer,
            "right answer": shown_value(right),
            "reason": why,
        }
        if rejected is not None:
            data["repair that was no better"] = rejected.source
            data["why it was no better"] = rejected.fault or "it is wrong on as many inputs or more"
        source, fault = await self._asked(HEALER, data)
        return program.model_copy(
            update={"source": source, "fault": fault, "healed": program.healed + 1}
        )

    async def _asked(self, role: Role[ProgramReply], data: Mapping[str, str]) -> tuple[str, str]:
        """Return a program, and its fault."""
        try:
            reply = await self._run.ask(role, {}, data, self._fault_of)
        except ReplyError as error:
            self._run.note(f"{role.name}: {error.reason}")
            return "", error.reason
        fault = await self._fault_of(reply)
        return reply.code, fault or ""

    async def _fault_of(self, reply: ProgramReply) -> str | None:
        code = reply.code
        if code not in self._known:
            self._known[code] = await self._run.done(
                f"gate_{len(self._known) + 1}",
                str,
                lambda: fault_of_program(code, self.spec, self._run.pool) or "",
            )
        return self._known[code] or None
