"""Ask planner, coder and analyst, each with the data for its role."""

import json
from collections.abc import Awaitable, Callable, Mapping

from steelyard.journal import Asker, Journal
from steelyard.models import Budget, Model, Role, Temperature
from steelyard.schemas import (
    CodeMessage,
    CodeReply,
    GeneratorReply,
    PlanMessage,
    PlanReply,
    ProblemInput,
    ProfileReport,
    ReferenceReply,
    Spending,
    VerdictReply,
    plain_json,
)
from steelyard.solving._options import SolveOptions

_NAMES = {"cpp": "C++17", "python": "Python"}
_SHOWN_CHARS = 20_000
_SAMPLES = 3
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


class Agents:
    """The models of one run.

    Args:
        models: By role: `planner`, `coder`, `analyst`.
        problem: What is solved.
        options: The language, the seed.
        journal: Keeps every exchange.
        budget: What may be paid for.
        flags: Compiler and flags of programs, for the coder.
    """

    def __init__(
        self,
        models: Mapping[str, Model],
        problem: ProblemInput,
        options: SolveOptions,
        journal: Journal,
        budget: Budget,
        flags: str,
    ) -> None:
        self._problem, self._options = problem, options
        self._asker = Asker(models, journal, budget, options.fixed_seed(), MODEL_OF)
        limits = problem.constraints
        self._values = {
            "language": _NAMES[options.language],
            "runtime_limit_ms": f"{limits.runtime_limit:g}",
            "memory_limit_mib": f"{limits.memory_limit:g}",
        }
        self._flags = flags

    @property
    def spending(self) -> Spending:
        """The spending so far."""
        return self._asker.spending

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what the reader of the result should know about the replies."""
        return self._asker.notes

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
        return await self._asker.ask(PLANNER, values, data, fault_of)

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
        return await self._asker.ask(CODER, values, data)

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
        return await self._asker.ask(ANALYST, self._values, data)

    async def generator(
        self, fault: str, fault_of: Callable[[GeneratorReply], Awaitable[str | None]]
    ) -> GeneratorReply:
        """Return another generator of inputs.

        Args:
            fault: Why the one before cannot be used.
            fault_of: Returns the fault of a generator, which then goes back to the model.

        Raises:
            ReplyError, BudgetError, ModelError: as in `ask`.
        """
        data = {"problem": self._problem.prompt, **self._samples(), "what was wrong": fault}
        return await self._asker.ask(GENERATOR, self._values, data, fault_of)

    async def attack(self, plan: PlanMessage, code: CodeMessage, generator: str) -> GeneratorReply:
        """Return a generator of the inputs that cost a program the most.

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
        return await self._asker.ask(ATTACKER, self._values, data)

    async def reference(self) -> ReferenceReply:
        """Return a brute force; each call asks for another one.

        Raises:
            ReplyError, BudgetError, ModelError: as in `ask`.
        """
        data = {"problem": self._problem.prompt, **self._samples()}
        return await self._asker.ask(REFERENCE, self._values, data)

    @property
    def shown(self) -> int:
        """The number of tests that models are shown."""
        return _SAMPLES

    def _samples(self) -> dict[str, str]:
        """Return the first tests, as a problem's statement shows its samples."""
        return {
            f"sample {number}": f"input:\n{test.input}\noutput:\n{test.output}"
            for number, test in enumerate(self._problem.unit_tests[:_SAMPLES], start=1)
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
