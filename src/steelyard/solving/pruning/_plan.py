"""Find why a plan is hopeless."""

from __future__ import annotations

from collections.abc import Iterable

from steelyard.schemas import PlanMessage, PruneFinding
from steelyard.solving.pruning._bounds import Sizes
from steelyard.solving.pruning._loops import loop_findings
from steelyard.solving.pruning._pseudocode import parse_pseudocode
from steelyard.solving.pruning._reading import Reading
from steelyard.solving.pruning._recursion import recursion_findings
from steelyard.solving.pruning._rules import Rules
from steelyard.solving.pruning._stated import stated_findings
from steelyard.solving.pruning._tables import table_findings
from steelyard.solving.pruning._tree import readable
from steelyard.solving.pruning._words import word_findings
from steelyard.solving.pruning._work import Work

_LONGEST = 20_000


def plan_findings(plan: PlanMessage, rules: Rules, *, python: bool) -> tuple[PruneFinding, ...]:
    """Return the rules that a plan's words, stated complexity and pseudocode break."""
    sizes = Sizes(plan.input_bounds, readable(plan.problem_statement, _LONGEST))
    if sizes.main is None:
        return ()
    seconds = plan.constraints.runtime_limit / 1_000
    limit_bytes = plan.constraints.memory_limit * 2**20
    budget = rules.budget
    rate = budget.python_steps_per_second if python else budget.cpp_steps_per_second
    found: list[PruneFinding] = []
    algorithm = readable(plan.algorithm, _LONGEST)
    if plan.expected_complexity:
        stated = readable(plan.expected_complexity, _LONGEST)
        found += stated_findings(stated, sizes, rules, seconds * rate)
    found += word_findings(algorithm, sizes, rules, seconds * rate, limit_bytes)
    text = readable(plan.pseudocode or "", _LONGEST)
    if text:
        work = Work(Reading(parse_pseudocode(text), sizes))
        found += loop_findings(work, rules, seconds, python=python)
        found += recursion_findings(work, rules, "plan", f"{algorithm}\n\n{text}")
        found += table_findings(work, rules, limit_bytes, filled=True)
    return one_of_each(found)


def one_of_each(findings: Iterable[PruneFinding]) -> tuple[PruneFinding, ...]:
    """Return the first finding of each rule."""
    first: dict[str, PruneFinding] = {}
    for finding in findings:
        first.setdefault(finding.rule, finding)
    return tuple(first.values())
