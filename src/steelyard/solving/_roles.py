"""Ask planner, coder and analyst, each with the data for its role.

A planner's or coder's unusable reply is asked for again; the second one in a run ends it. A role
that only supports the run is asked once, and the run continues without its reply.
"""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar

from pydantic import BaseModel

from steelyard.errors import ModelError, RecordingError, ReplyError, ScriptError
from steelyard.models import Role, Temperature
from steelyard.runs import Run
from steelyard.schemas import (
    CodeMessage,
    CodeReply,
    GeneratorReply,
    PlanMessage,
    PlanReply,
    ProfileReport,
    PruneFinding,
    ReferenceReply,
    SolveStatus,
    StopCause,
    VerdictReply,
    plain_json,
)
from steelyard.solving._history import RunHead
from steelyard.toolchains import language_table

R = TypeVar("R", bound=BaseModel)
_SHOWN_CHARS = 20_000
SHOWN_TESTS = 3
"""The number of tests that models are shown."""
_MOST_CRASHES = 2
_FIGURES = {
    "input_sizes",
    "runtime_ms",
    "peak_memory_mb",
    "hotspots",
    "time",
    "space",
    "prediction",
    "flags",
    "notes",
}
"""Fields of a profile that the analyst is shown."""


class Stopped(Exception):  # noqa: N818 - the run's end, not an error
    """Ends the run."""

    def __init__(self, status: SolveStatus, stop: StopCause, reason: str) -> None:
        super().__init__(reason)
        self.status, self.stop, self.reason = status, stop, reason


def first_of(found: tuple[PruneFinding, ...]) -> str:
    """Return the first finding as one line."""
    return f"{found[0].rule}: {found[0].message}"


def in_words(found: tuple[PruneFinding, ...]) -> str:
    """Return all findings, one a line."""
    return "\n".join(f"{each.message} ({each.evidence})" for each in found)


class Agents:
    """The planner, the coder and the analyst of one run.

    Args:
        head: The input of the run.
        run: Asks the models.
    """

    def __init__(self, head: RunHead, run: Run) -> None:
        self._problem, self._flags, self._run = head.problem, head.flags, run
        limits = head.problem.constraints
        language = language_table().row(head.options.language)
        self._values = {
            "language": language.in_prompts or language.title,
            "runtime_limit_ms": f"{limits.runtime_limit:g}",
            "memory_limit_mib": f"{limits.memory_limit:g}",
        }
        self._crashes = 0
        self.pruned: tuple[PruneFinding, ...] = ()
        """Findings on the last plan that the static rules rejected."""
        self.has_plan = False
        """Whether a plan has passed the static rules."""

    async def plan(
        self,
        before: PlanMessage | None,
        why: str,
        fault_of: Callable[[PlanReply], Awaitable[str | None]],
    ) -> PlanReply:
        """Return a plan; a different one if `before` is given.

        Args:
            before: The rejected plan.
            why: The fault of that plan.
            fault_of: Returns the fault of a plan, which then goes back to the planner.

        Raises:
            ReplyError, BudgetError, ModelError: as in `ask`.
        """
        data = {"problem": self._problem.prompt, **self._samples()}
        if self._problem.input_bounds:
            data["input_bounds"] = json.dumps(self._problem.input_bounds)
        if before is not None:
            data["earlier plan"] = _in_short(before)
            data["what was wrong with it"] = why
        values: dict[str, str | int | bool] = {
            **self._values,
            "plan_tokens": PLAN_TOKENS,
            "again": before is not None,
            "bounds_given": bool(self._problem.input_bounds),
            "generator_given": self._problem.input_generator is not None,
        }
        return await self._usable(PLANNER, values, data, fault_of)

    async def code(self, plan: PlanMessage, before: CodeMessage | None, why: str) -> CodeReply:
        """Return a program for a plan; a changed one if there is an earlier program.

        Raises:
            ReplyError, BudgetError, ModelError: as in `ask`.
        """
        data = {
            "problem": self._problem.prompt,
            **self._samples(),
            "plan": _in_short(plan),
        }
        if before is not None:
            data["earlier program"] = before.code_cpp[:_SHOWN_CHARS]
            data["what was found"] = why
        values: dict[str, str | bool] = {
            **self._values,
            "flags": self._flags,
            "again": before is not None,
        }
        return await self._usable(CODER, values, data)

    async def analyse(
        self, plan: PlanMessage, code: CodeMessage, report: ProfileReport
    ) -> VerdictReply:
        """Return the analyst's verdict on undecided figures.

        Raises:
            ReplyError, BudgetError, ModelError: as in `ask`.
        """
        figures = {name: each for name, each in plain_json(report).items() if name in _FIGURES}
        data = {
            "problem": self._problem.prompt,
            "plan": _in_short(plan),
            "program": code.code_cpp[:_SHOWN_CHARS],
            "figures": json.dumps(figures),
        }
        return await self._run.ask(ANALYST, self._values, data)

    async def generator(
        self, fault: str, fault_of: Callable[[GeneratorReply], Awaitable[str | None]]
    ) -> GeneratorReply | str:
        """Return another generator of inputs, or why there is none.

        Args:
            fault: Why the one before cannot be used.
            fault_of: Returns the fault of a generator, which then goes back to the model.

        Raises:
            ReplyError, BudgetError, ModelError: as in `ask`.
        """
        data = {"problem": self._problem.prompt, **self._samples(), "what was wrong": fault}
        return await self._supporting("generator", GENERATOR, data, fault_of)

    async def attack(
        self, plan: PlanMessage, code: CodeMessage, generator: str
    ) -> GeneratorReply | str:
        """Return a generator of the inputs that cost a program the most, or why there is none.

        Raises:
            ReplyError, BudgetError, ModelError: as in `ask`.
        """
        data = {
            "problem": self._problem.prompt,
            **self._samples(),
            "bounds": json.dumps(plan.input_bounds),
            "generator in use": generator[:_SHOWN_CHARS],
            "program": code.code_cpp[:_SHOWN_CHARS],
        }
        return await self._supporting("attack", ATTACKER, data)

    async def reference(self, name: str) -> ReferenceReply | str:
        """Return a brute force, or why there is none; each call asks for another one.

        Args:
            name: The step's.

        Raises:
            ReplyError, BudgetError, ModelError: as in `ask`.
        """
        data = {"problem": self._problem.prompt, **self._samples()}
        return await self._supporting(name, REFERENCE, data)

    async def _usable(
        self,
        role: Role[R],
        values: Mapping[str, str | int | bool],
        data: Mapping[str, str],
        fault_of: Callable[[R], Awaitable[str | None]] | None = None,
    ) -> R:
        """Return a reply, from a second request if the first could not be used."""
        while True:
            try:
                return await self._run.ask(role, values, data, fault_of)
            except ReplyError as error:
                self.crashed(error)
            except (ModelError, ScriptError, RecordingError) as error:
                self._end_if_pruned(error)
                raise

    def crashed(self, error: ReplyError) -> None:
        """Count an unusable reply; end the run at the second."""
        self._crashes += 1
        self._run.note(str(error))
        if self._crashes >= _MOST_CRASHES:
            self._end_if_pruned(error)
            raise Stopped("failed", "agent-crashes", str(error)) from error

    def _end_if_pruned(self, error: Exception) -> None:
        """End the run as pruned if no plan has passed the static rules yet."""
        if self.pruned and not self.has_plan:
            reason = f"{first_of(self.pruned)}; then no other plan was received: {error}"
            raise Stopped("static_prune_failed", "pruned", reason) from error

    async def _supporting(
        self,
        name: str,
        role: Role[R],
        data: Mapping[str, str],
        fault_of: Callable[[R], Awaitable[str | None]] | None = None,
    ) -> R | str:
        """Return the reply of a role that supports the run, or why there is none."""
        form = role.reply | str
        value: R | str
        try:
            value = await self._run.ask(role, self._values, data, fault_of)
        except (ReplyError, ScriptError) as error:
            value = str(error)
        except RecordingError:
            known: R | str | None = self._run.known(name, form)
            if known is None:
                raise
            return known
        return self._run.keep(name, form, value)

    def _samples(self) -> dict[str, str]:
        """Return the first tests, as a problem's statement shows its samples."""
        return {
            f"sample {number}": f"input:\n{test.input}\noutput:\n{test.output}"
            for number, test in enumerate(self._problem.unit_tests[:SHOWN_TESTS], start=1)
        }


def _in_short(plan: PlanMessage) -> str:
    fields = {"algorithm", "input_bounds", "pseudocode", "expected_complexity"}
    return json.dumps(plan.model_dump(include=fields), ensure_ascii=False)


PLAN_TOKENS = 512
"""Largest size of a plan without its generator."""
PLAN_BYTES = 4 * PLAN_TOKENS
"""About the size of that many tokens of English and code."""
_GENERATOR_TOKENS = 1_024
_THINKING_TOKENS = 24_000
"""Room for a reasoning model's thinking, which counts as a part of its reply."""
PLANNER = Role(
    "planner",
    "planner",
    PlanReply,
    Temperature(0.2, 0.2, 0.8),
    _THINKING_TOKENS + PLAN_TOKENS + _GENERATOR_TOKENS,
)
CODER = Role(
    "coder",
    "coder",
    CodeReply,
    Temperature(0.0, 0.2, 0.8),
    _THINKING_TOKENS + 8_192,
    repairs=1,
    program_field="code_cpp",
)
ANALYST = Role(
    "analyst", "analyst", VerdictReply, Temperature(0.0, 0.1, 0.3), _THINKING_TOKENS + 1_024
)
GENERATOR = Role(
    "generator",
    "generator",
    GeneratorReply,
    Temperature(0.2, 0.2, 0.8),
    _THINKING_TOKENS + _GENERATOR_TOKENS,
)
ATTACKER = Role(
    "attacker",
    "attacker",
    GeneratorReply,
    Temperature(0.2, 0.2, 0.8),
    _THINKING_TOKENS + _GENERATOR_TOKENS,
)
REFERENCE = Role(
    "reference",
    "reference",
    ReferenceReply,
    Temperature(0.2, 0.3, 0.8),
    _THINKING_TOKENS + 4_096,
    program_field="code_python",
)
MODEL_OF = {"generator": "planner", "attacker": "analyst", "reference": "coder"}
"""The role whose model answers, for roles without a model of their own."""
