"""Collect the evidence for a program that passes all tests and keeps its limits.

See docs/decisions/0014-evidence.md.
"""

import math
from typing import Any

from steelyard.errors import GeneratorError
from steelyard.reports import count, milliseconds
from steelyard.runs import Run
from steelyard.schemas import (
    CodeMessage,
    Evidence,
    ProblemInput,
)
from steelyard.solving._analysis import Attempt, Cost, Finding
from steelyard.solving._roles import SHOWN_TESTS, Agents
from steelyard.solving._trials import Agreement, Disagreement, Stressed, Trials

_MOST_REFERENCES = 2
_SPEAKS_FOR_RIGHT = frozenset({"brute force", "second program", "unseen tests"})
_SPEAKS_FOR_EFFICIENT = frozenset({"growth", "portfolio"})


def missing_claims(evidence: tuple[Evidence, ...]) -> dict[str, str]:
    """Return the claims for which not enough evidence speaks, each with what is missing."""
    holds = {each.name for each in evidence if each.outcome == "holds"}
    missing = {}
    if not holds & _SPEAKS_FOR_RIGHT:
        missing["right"] = "only the tests that models were shown speak for its correctness"
    if not holds >= _SPEAKS_FOR_EFFICIENT:
        missing["efficient"] = "no measurement shows that it is efficient"
    return {
        claim: "; ".join((what, *_missing_of(claim, evidence))) for claim, what in missing.items()
    }


def _missing_of(claim: str, evidence: tuple[Evidence, ...]) -> list[str]:
    return [str(each) for each in evidence if each.outcome == "missing" and each.claim == claim]


class Examiner:
    """Collects the evidence of one run.

    Args:
        problem: What is solved.
        trials: Runs programs.
        agents: Talks to models.
        run: Keeps decisions and reports stages.
    """

    def __init__(self, problem: ProblemInput, trials: Trials, agents: Agents, run: Run) -> None:
        self._problem, self._trials, self._agents, self._run = problem, trials, agents, run
        self._right: list[CodeMessage] = []
        self._reference: str | None = None
        self._references = 0
        self._why_no_reference = ""
        self._attacks: dict[str, str] = {}
        self._disputed: dict[tuple[int, int], str] = {}
        """The answer of an earlier program against the brute force, by n and seed."""

    async def examined(
        self, attempt: Attempt, generator: str, finding: Finding, revealed: set[int]
    ) -> Finding:
        """Add the evidence to an attempt.

        Args:
            attempt: A program that passes all tests and keeps its limits.
            generator: The generator of inputs.
            finding: The finding so far.
            revealed: Tests of which models saw how a program failed.

        Returns:
            A finding against the program, or the one so far with its inputs.
        """
        attempt.evidence += self.of_tests(revealed)
        attempt.evidence.append(
            Evidence(name="growth", claim="efficient", outcome="holds", detail=finding.reason)
        )
        try:
            wrong = await self._of_answers(attempt, generator)
            wrong = wrong or await self._of_cost(attempt, generator)
            wrong = wrong or await self._of_overflow(attempt, generator)
        except GeneratorError as error:
            attempt.evidence.append(_missing("portfolio", "efficient", str(error)))
            wrong = None
        refuted = wrong is not None and not wrong.is_of_cost
        if not refuted or attempt.evidence[-1].name == "second program":
            self._right.append(attempt.code)
        if wrong is not None:
            attempt.cost = None if refuted else Cost(math.inf, math.inf)
            attempt.right = not refuted
            return wrong
        return Finding(True, finding.reason)

    def of_tests(self, revealed: set[int]) -> list[Evidence]:
        """Return the evidence that the unit tests give."""
        tests = self._problem.unit_tests
        unseen = [
            index
            for index, test in enumerate(tests)
            if index >= SHOWN_TESTS
            and index not in revealed
            and test.input.strip() not in self._problem.prompt
        ]
        passed = Evidence(
            name="tests",
            claim="right",
            outcome="holds" if tests else "missing",
            detail=f"passes {len(tests)} tests",
        )
        if not unseen:
            return [passed]
        detail = f"passes {len(unseen)} tests that no model was shown"
        return [
            passed,
            Evidence(name="unseen tests", claim="right", outcome="holds", detail=detail),
        ]

    # ------------------------------------------------------------------------------- answers

    async def _of_answers(self, attempt: Attempt, generator: str) -> Finding | None:
        if self._reference is None and self._references == 0:
            await self._ask_for_reference()
        name = "answers"
        compared = await self._compared(name, attempt, generator)
        if self._is_second_dispute(compared) and self._references < _MOST_REFERENCES:
            self._run.note("a brute force was outvoted by two programs, and replaced")
            await self._ask_for_reference()
            compared = await self._compared(f"{name}_again", attempt, generator)
        evidence = attempt.evidence
        if compared.found is not None:
            return self._disagreement(attempt, compared.found)
        if compared.with_reference:
            evidence.append(
                _holds(
                    "brute force",
                    "right",
                    f"agrees on {compared.with_reference} inputs up to n = "
                    f"{count(compared.reference_n)}",
                )
            )
        else:
            why = self._why_no_reference or "it answers no input in time"
            evidence.append(_missing("brute force", "right", why))
        if compared.with_earlier:
            outvoted = f"; {compared.outvoted} are disputed" if compared.outvoted else ""
            evidence.append(
                _holds(
                    "second program",
                    "right",
                    f"agrees on {compared.with_earlier} inputs up to "
                    f"n = {count(compared.earlier_n)}{outvoted}",
                )
            )
        return None

    async def _compared(self, name: str, attempt: Attempt, generator: str) -> Agreement:
        code, bounds = attempt.code, dict(attempt.plan.input_bounds)
        earlier = [each for each in self._right if each.code_cpp != code.code_cpp]
        reference = self._reference
        self._run.notify("compare", "answers on generated inputs")
        compared: Agreement = await self._run.done(
            name,
            Agreement,
            lambda: self._trials.compared(code, earlier, reference, generator, bounds),
        )
        return compared

    def _is_second_dispute(self, compared: Agreement) -> bool:
        found = compared.found
        if found is None or found.by != "a brute force":
            return False
        earlier = self._disputed.get((found.n, found.seed))
        self._disputed[found.n, found.seed] = found.mine
        return earlier == found.mine

    def _disagreement(self, attempt: Attempt, found: Disagreement) -> Finding:
        where = f"at n = {count(found.n)} its answer differs from that of {found.by}"
        name = "brute force" if found.by == "a brute force" else "second program"
        attempt.evidence.append(Evidence(name=name, claim="right", outcome="fails", detail=where))
        patch = (
            f"It passes all tests, but {found.by} disagrees on this input:\n{found.input}\n"
            f"It printed:\n{found.mine}\nThe other printed:\n{found.other}\n"
            "Solve this input by hand. If the program is wrong, fix it; if it is right, keep it."
        )
        return Finding(False, where, "CODER", patch, is_of_cost=False)

    async def _ask_for_reference(self) -> None:
        self._references += 1
        suffix = f"_{self._references}" if self._references > 1 else ""
        self._run.notify("reference")
        self._reference = None
        reply = await self._agents.reference(f"reference{suffix}")
        if isinstance(reply, str):
            self._why_no_reference = reply
            return
        text = reply.code_python
        fault: str = await self._run.done(
            f"reference{suffix}_tests", str, lambda: self._trials.fault_of_reference(text)
        )
        self._why_no_reference = fault
        if not fault:
            self._reference = text
        elif self._references < _MOST_REFERENCES:
            await self._ask_for_reference()

    # ---------------------------------------------------------------------------------- cost

    async def _of_cost(self, attempt: Attempt, generator: str) -> Finding | None:
        code, bounds = attempt.code, dict(attempt.plan.input_bounds)
        known = dict(self._attacks)
        self._run.notify("stress", "the portfolio of inputs")
        stressed: Stressed = await self._run.done(
            "portfolio",
            Stressed,
            lambda: self._trials.stressed(code, generator, known, bounds),
        )
        if stressed.fault is not None:
            return self._too_slow(attempt, stressed, "portfolio")
        left_out = f"; left out: {', '.join(stressed.refused)}" if stressed.refused else ""
        attempt.evidence.append(
            _holds("portfolio", "efficient", f"{_in_words(stressed)}{left_out}")
        )
        return await self._of_attack(attempt, generator)

    async def _of_attack(self, attempt: Attempt, generator: str) -> Finding | None:
        code, bounds = attempt.code, dict(attempt.plan.input_bounds)
        self._run.notify("attack")
        reply = await self._agents.attack(attempt.plan, code, generator)
        if isinstance(reply, str) or reply.input_generator is None:
            why = reply if isinstance(reply, str) else f"the model knows none: {reply.why}"
            attempt.evidence.append(_missing("worst input", "efficient", why))
            return None
        text = reply.input_generator
        fault: str = await self._run.done(
            "attack_format", str, lambda: self._trials.fault_of_attack(text, generator, bounds)
        )
        if fault:
            attempt.evidence.append(_missing("worst input", "efficient", fault))
            return None
        name = f"worst input for program {code.iteration + 1}"
        self._attacks[name] = text
        stressed: Stressed = await self._run.done(
            "attack_run",
            Stressed,
            lambda: self._trials.stressed(code, generator, {name: text}, bounds, portfolio=False),
        )
        if stressed.fault is not None:
            return self._too_slow(attempt, stressed, "worst input")
        attempt.evidence.append(_holds("worst input", "efficient", _in_words(stressed)))
        return None

    def _too_slow(self, attempt: Attempt, stressed: Stressed, name: str) -> Finding:
        use = stressed.fault
        assert use is not None
        limits = self._problem.constraints
        what = (
            f"on the input {use.name!r} at n = {count(stressed.n)} it {use.fault}, limits "
            f"{milliseconds(limits.runtime_limit)} and {limits.memory_limit:g} MiB"
        )
        attempt.evidence.append(
            Evidence(name=name, claim="efficient", outcome="fails", detail=what)
        )
        target: Any = "PLANNER" if len(self._right) else "CODER"
        return Finding(
            False,
            what,
            target,
            f"It is fast on random inputs, but {what}. Change what makes it slow there: every "
            "valid input of this size must keep the limits.",
        )

    async def _of_overflow(self, attempt: Attempt, generator: str) -> Finding | None:
        code, bounds = attempt.code, dict(attempt.plan.input_bounds)
        if code.language != "cpp":
            return None
        name, inputs = await self._run.done(
            "overflow", tuple[str, int], lambda: self._trials.overflow(code, generator, bounds)
        )
        if name:
            what = f"a signed number overflows on the largest input ({name})"
            attempt.evidence.append(
                Evidence(name="overflow", claim="right", outcome="fails", detail=what)
            )
            patch = f"It passes all tests, but {what}. Use a wider type, or an unsigned one."
            return Finding(False, what, "CODER", patch, is_of_cost=False)
        if inputs:
            detail = f"no signed number overflows on {inputs} inputs of the largest size"
            attempt.evidence.append(_holds("overflow", "right", detail))
        return None


def _in_words(stressed: Stressed) -> str:
    slowest = max(stressed.uses, key=lambda use: use.cpu_ms)
    names = ", ".join(use.name for use in stressed.uses)
    return (
        f"keeps its limits on {len(stressed.uses)} inputs at n = {count(stressed.n)} ({names}), "
        f"at most {milliseconds(slowest.cpu_ms)} ({slowest.name})"
    )


def _holds(name: str, claim: Any, detail: str) -> Evidence:
    return Evidence(name=name, claim=claim, outcome="holds", detail=detail)


def _missing(name: str, claim: Any, detail: str) -> Evidence:
    return Evidence(name=name, claim=claim, outcome="missing", detail=detail)
