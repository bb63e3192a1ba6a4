"""Show runs of the solve loop, also as JSON."""

from collections.abc import Iterator
from typing import Any

from steelyard.profiling import time_chart
from steelyard.profiling import view as profile_view
from steelyard.reports import (
    Block,
    Charts,
    Code,
    Figure,
    Figures,
    Heading,
    Headline,
    Items,
    Line,
    Note,
    Span,
    Text,
    clause,
    counted,
    mebibytes,
    milliseconds,
    percent,
)
from steelyard.schemas import (
    ProfileReport,
    Record,
    RunResult,
    VerdictMessage,
    VerifyResult,
    plain_json,
)
from steelyard.solving._history import Story, Turn
from steelyard.solving._options import SolveOptions
from steelyard.solving._solver import Replay

_TONES = {
    "success": "strong good",
    "static_prune_failed": "strong bad",
    "failed": "strong bad",
    "sandbox_error": "strong warn",
}
_OUTCOMES = {"holds": "good", "fails": "bad", "missing": "warn"}
_AGENTS = {"PLANNER": "back to the planner", "CODER": "back to the coder"}
_PLAN_CHARS = 400


def view(result: RunResult, *, brief: bool = False, code: bool = True) -> Iterator[Block]:
    """Yield the result of a run.

    Args:
        result: What to show.
        brief: Leave out the plan, and all of the profile but its classes.
        code: Show the program.
    """
    status = Span(result.status.upper().replace("_", " "), _TONES[result.status])
    yield Headline(status, f"{result.task_id}: {clause(result.reason)}")
    yield Figures(list(_figures(result)))
    yield Items(
        [
            (Span(each.outcome, _OUTCOMES[each.outcome]), f" {clause(str(each))}")
            for each in result.evidence
            if each.detail != result.reason
        ]
    )
    for note in result.notes:
        yield Note(clause(note))
    if result.logs:
        yield Text(f"artefacts: {result.logs}", "quiet")
    if result.plan is not None and not brief:
        yield Heading("Plan")
        yield Code(result.plan.algorithm)
    if result.code is not None and code:
        yield Heading(f"Best program, of turn {result.code.iteration}")
        yield Code(result.code.code_cpp)
    if result.profile is not None and not brief:
        yield Heading("Profile")
        yield from profile_view(result.profile)


def _figures(result: RunResult) -> Iterator[Figure]:
    programs = counted(result.programs, "program") if result.programs else "no program"
    yield Figure("programs", programs, counted(result.iterations, "turn"))
    if result.tests:
        yield Figure("tests", f"{result.tests_passed} of {counted(result.tests, 'test')}")
    report = result.profile
    if report is None:
        yield Figure("growth", "not measured")
    else:
        cpu, memory = report.prediction.cpu_ms, report.prediction.memory_mib
        needs = [f"{milliseconds(cpu.mid)} at n = {report.prediction.n:,}"] if cpu else []
        needs += [mebibytes(memory.mid)] if memory else []
        yield Figure("growth", f"time {report.time}, memory {report.space}", ", ".join(needs))
    yield Figure("cost", str(result.spending), f"{result.seconds:.1f} s")


def story_view(story: Story, *, code: bool = False) -> Iterator[Block]:
    """Yield a run: its result, and its turns from the first; `code`: with each program."""
    problem, options = story.head.problem, story.head.options
    if story.result is None:
        command = f"steelyard solve --resume {story.folder}"
        yield Headline(Span("NOT FINISHED", "strong warn"), f"{problem.task_id}: resume: {command}")
    else:
        logless = story.result.model_copy(update={"logs": ""})
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


def replay_view(replay: Replay) -> Iterator[Block]:
    """Yield the result of a replay compared with the run."""
    yield from view(replay.result, brief=True, code=False)
    if not replay.differences:
        yield Text("the same decisions as in the run", "good")
    for name in replay.differences:
        yield Text(f"decided differently from the run: {name}", "bad")


def story_json(story: Story) -> dict[str, Any]:
    """Return a run as `json.dumps` takes it.

    Returns:
        `run` (the problem and the options), `turns` (each with `plans`, `code`, `tests`, `profile`,
        `verdict` and how many `exchanges` it took) and `result`, or null if it has none yet.
    """
    return {
        "run": plain_json(story.head),
        "turns": [_turn(turn) for turn in story.turns],
        "result": _plain(story.result),
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
