"""Obtain a plan that passes the static rules, with a generator that works."""

from steelyard.journal import Journal
from steelyard.schemas import PlanMessage, PlanReply, ProblemInput, PruneFinding
from steelyard.solving._bench import Bench
from steelyard.solving._crew import Crew
from steelyard.solving._options import SolveOptions
from steelyard.solving._roles import PLAN_BYTES
from steelyard.solving._steps import Steps, Stopped
from steelyard.solving._wording import first_of, in_words
from steelyard.solving.pruning import Pruner


class Planning:
    """The plans of one run.

    Args:
        problem: What is solved.
        options: The options.
        journal: Keeps each plan.
        bench: Runs the plans' generators.
        crew: Talks to the planner.
        pruner: The static rules.
        steps: Keeps decisions and reports stages.
    """

    def __init__(
        self,
        problem: ProblemInput,
        options: SolveOptions,
        journal: Journal,
        bench: Bench,
        crew: Crew,
        pruner: Pruner,
        steps: Steps,
    ) -> None:
        self._problem, self._options, self._journal = problem, options, journal
        self._bench, self._crew, self._pruner, self._steps = bench, crew, pruner, steps
        self.last: PlanMessage | None = None
        """The last plan, even if it was rejected."""

    async def good_plan(self, why: str) -> PlanMessage:
        """Return a plan that passes the static rules, based on the last rejected one if any."""
        for refused in range(self._options.max_plans):
            suffix = f"_{refused + 1}" if refused else ""
            plan = await self._one_plan(f"plan{suffix}", why)
            self.last = plan
            found = self._steps.decided(
                f"prune{suffix}", tuple[PruneFinding, ...], self._pruned_by_rules(plan)
            )
            if not found:
                self._steps.has_plan = True
                return plan
            self._steps.pruned, why = found, in_words(found)
            self._steps.notify("pruned", first_of(found))
        raise Stopped("static_prune_failed", "pruned", first_of(self._steps.pruned))

    async def _one_plan(self, name: str, why: str) -> PlanMessage:
        self._steps.notify("plan")
        checks = 0

        async def fault_of(reply: PlanReply) -> str | None:
            nonlocal checks
            checks += 1
            if (size := _bytes_of(reply)) > PLAN_BYTES:
                return (
                    f"The plan is too long: without its generator it has {size} bytes, and "
                    f"the limit is {PLAN_BYTES}. Shorten it."
                )
            return await self._generator_fault(f"{name}_generator_{checks}", reply)

        reply: PlanReply = await self._steps.asked(
            lambda: self._crew.plan(self.last, why, fault_of)
        )
        return self._journal.keep(name, PlanMessage, self._plan_of(reply))

    def _plan_of(self, reply: PlanReply) -> PlanMessage:
        """Return the message of a reply; the problem's bounds override the planner's."""
        stated = self._problem.input_bounds or reply.input_bounds
        return PlanMessage(
            task_id=self._problem.task_id,
            iteration=self._journal.iteration,
            constraints=self._problem.constraints,
            **reply.model_dump(exclude={"input_bounds"}),
            input_bounds=dict(stated),
        )

    def _pruned_by_rules(self, plan: PlanMessage) -> tuple[PruneFinding, ...]:
        return self._pruner.check_plan(plan, self._options.language)

    async def _generator_fault(self, name: str, reply: PlanReply) -> str | None:
        """Return the fault of the plan's generator if it would be used."""
        text = reply.input_generator
        if text is None or self._problem.input_generator is not None:
            return None
        if self._pruned_by_rules(self._plan_of(reply)):
            return None  # the static rules decide, and cost less
        bounds = dict(self._problem.input_bounds or reply.input_bounds)
        self._steps.notify("generator")
        fault: str = await self._steps.done(
            name, str, lambda: self._bench.fault_of(text, bounds) or ""
        )
        return f"The input_generator cannot be used: {fault}" if fault else None


def _bytes_of(reply: PlanReply) -> int:
    """Return the size of a plan as JSON, without its generator."""
    return len(reply.model_dump_json(exclude={"input_generator"}, exclude_none=True).encode())
