"""Show a run of the solve loop turn by turn, also as JSON."""

from collections.abc import Iterator
from typing import Any

from steelyard.profiling import time_chart
from steelyard.reports import (
    Block,
    Charts,
    Code,
    Figure,
    Figures,
    Heading,
    Headline,
    Line,
    Span,
    Text,
    clause,
    counted,
    percent,
)
from steelyard.schemas import ProfileReport, Record, VerdictMessage, VerifyResult, plain_json
from steelyard.solving._history import SolveStory, Turn
from steelyard.solving._options import SolveOptions
from steelyard.solving._view import view

_AGENTS = {"PLANNER": "back to the planner", "CODER": "back to the coder"}
_PLAN_CHARS = 400


def story_view(story: SolveStory, *, code: bool = False) -> Iterator[Block]:
    """Yield a run: its result, and its turns from the first; `code`: with each program."""
    problem, options = story.head.problem, story.head.options
    if story.report is None:
        command = f"steelyard solve --resume {story.folder}"
        yield Headline(Span("NOT FINISHED", "strong warn"), f"{problem.task_id}: resume: {command}")
    else:
        logless = story.report.model_copy(update={"logs": ""})
        yield from view(logless, brief=True, code=False)
    limits = problem.constraints
    yield Text(
        f"{options.language}, limits {limits.runtime_limit:g} ms, {limits.memory_limit:g} MiB; "
        f"{counted(len(problem.unit_tests), 'test')}; {_models(options)}"
    )
    for turn in story.turns:
        yield Heading(f"turn {turn.number}")
        yield Figures(list(_of_turn(turn)))
        chart = turn.profile and time_chart(turn.profile)
        if chart:
            yield Charts([chart])
        if turn.code is not None and code:
            yield Code(turn.code.code_cpp)


def _models(options: SolveOptions) -> str:
    roles = {"planner": options.planner, "coder": options.coder, "analyst": options.analyst}
    if len(set(roles.values())) == 1:
        return f"all roles {options.planner}"
    return ", ".join(f"{role} {name}" for role, name in roles.items())


def _of_turn(turn: Turn) -> Iterator[Figure]:
    for plan, pruned in turn.plans:
        stated = f" ({plan.expected_complexity})" if plan.expected_complexity else ""
        found = [Span(f"{each.rule}: {each.message}; {each.evidence}", "bad") for each in pruned]
        yield Figure("plan", plan.algorithm[:_PLAN_CHARS] + stated)
        yield from (Figure("pruned", each) for each in found)
    if turn.code is not None:
        lines = turn.code.code_cpp.count("\n") + 1
        yield Figure("code", f"{counted(lines, 'line')}, iter_{turn.number}/code.*")
    if turn.tests is not None:
        yield Figure("tests", _tests(turn.tests))
    if turn.profile is not None:
        yield _profile(turn.profile)
    if turn.verdict is not None:
        yield _verdict(turn.verdict)


def _tests(result: VerifyResult) -> Span:
    if not result.compile.ok:
        first = str(result.compile.errors[0]) if result.compile.errors else ""
        return Span(f"does not compile: {first}", "bad")
    passed = sum(case.verdict == "AC" for case in result.cases)
    failed = next((case for case in result.cases if case.verdict != "AC"), None)
    text = f"{passed} of {len(result.cases)} pass"
    if failed is not None:
        text += f"; {failed.name}: {failed.verdict}, {failed.message}"
    return Span(text, "bad" if failed else "good")


def _profile(report: ProfileReport) -> Figure:
    if not report.measured:
        why = "; ".join(report.notes) or "no input was available"
        return Figure("profile", Span(f"not measured: {why}", "warn"))
    return Figure("profile", f"time {report.time}, memory {report.space}", "", report.hotspots[:2])


def _verdict(verdict: VerdictMessage) -> Figure:
    value = Span("efficient", "strong good")  # the result of the run has the reason
    if not verdict.efficient:
        outcome = _AGENTS.get(verdict.target_agent or "", "refused")
        outcome, tone = ("unproved", "warn") if verdict.efficient is None else (outcome, "bad")
        value = Span(f"{outcome}: {clause(verdict.reason)}", tone)
    details: list[Line] = []
    if verdict.patch and verdict.basis != "tests":  # the tests' figure has it already
        details += verdict.patch.splitlines()
    if verdict.perf_gain:
        details.append(f"it costs {percent(1 - verdict.perf_gain)} of the best earlier program")
    return Figure("verdict", value, "", details)


def story_json(story: SolveStory) -> dict[str, Any]:
    """Return a run as `json.dumps` takes it.

    Returns:
        `run` (the problem and the options), `turns` (each with `plans`, `code`, `tests`, `profile`,
        `verdict` and how many `exchanges` it took) and `result`, or null if it has none yet.
    """
    return {
        "run": plain_json(story.head),
        "turns": [_turn(turn) for turn in story.turns],
        "result": _plain(story.report),
    }


def _turn(turn: Turn) -> dict[str, Any]:
    return {
        "turn": turn.number,
        "plans": [
            {"plan": plain_json(plan), "pruned": [plain_json(each) for each in pruned]}
            for plan, pruned in turn.plans
        ],
        "code": _plain(turn.code),
        "tests": _plain(turn.tests),
        "profile": _plain(turn.profile),
        "verdict": _plain(turn.verdict),
        "exchanges": len(turn.exchanges),
    }


def _plain(record: Record | None) -> dict[str, Any] | None:
    return None if record is None else plain_json(record)
