"""Show runs of the solve loop on a terminal, where all texts of models are escaped, and as JSON."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from steelyard.profiling.reporting import CurveView
from steelyard.rendering import clause, mebibytes, milliseconds, percent, visible, visible_lines
from steelyard.schemas import (
    CodeMessage,
    ProfileReport,
    Record,
    RunResult,
    VerdictMessage,
    VerifyResult,
    plain_json,
)
from steelyard.solving._history import SolveStory, Turn
from steelyard.solving._options import SolveOptions

_STYLES = {
    "success": "bold green",
    "static_prune_failed": "bold red",
    "failed": "bold red",
    "sandbox_error": "bold yellow",
}
_AGENTS = {"PLANNER": "back to the planner", "CODER": "back to the coder"}
_PLAN_CHARS = 400


@dataclass(frozen=True)
class ResultView:
    """The result of a run."""

    result: RunResult
    shows_code: bool = True
    shows_logs: bool = True

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        result = self.result
        if self.shows_code and result.code is not None:
            yield Rule(f"the best program, turn {result.code.iteration}", style="dim")
            yield _program(result.code)
            yield Rule(style="dim")
        yield Text.assemble(
            (result.status.upper().replace("_", " "), _STYLES[result.status]),
            f"  {visible(result.task_id)}: {clause(result.reason)}",
        )
        for line in _figures(result):
            yield Text(line)
        for each in result.evidence:
            if each.detail == result.reason:
                continue
            word = {"holds": "holds   ", "fails": "fails   ", "missing": "missing "}[each.outcome]
            yield Text.assemble((word, "dim"), clause(str(each)))
        for note in result.notes:
            yield Text.assemble(("note    ", "yellow"), clause(note))
        if result.logs and self.shows_logs:
            yield Text(f"artefacts: {visible(result.logs)}", style="dim")


def _figures(result: RunResult) -> Iterator[str]:
    parts = [_many(result.programs, "program") if result.programs else "no program"]
    if result.tests:
        parts.append(f"{result.tests_passed} of {_many(result.tests, 'test')}")
    report = result.profile
    if report is not None:
        parts.append(f"time {report.time}, memory {report.space}")
        cpu, memory = report.prediction.cpu_ms, report.prediction.memory_mib
        if cpu:
            parts.append(f"{milliseconds(cpu.mid)} at n = {report.prediction.n:,}")
        if memory:
            parts.append(mebibytes(memory.mid))
    else:
        parts.append("growth not measured")
    yield ", ".join(parts)
    yield f"{result.spending}; {result.seconds:.1f} s"


def _many(number: int, name: str) -> str:
    return f"{number:,} {name}{'s' * (number != 1)}"


@dataclass(frozen=True)
class StoryView:
    """A run from its start."""

    story: SolveStory
    shows_code: bool = False

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        head = self.story.head
        problem, limits = head.problem, head.problem.constraints
        yield Text.assemble((visible(problem.task_id), "bold"), f"  {head.options.language}")
        yield Text(
            f"limits {limits.runtime_limit:g} ms, {limits.memory_limit:g} MiB; "
            f"{_many(len(problem.unit_tests), 'test')}; {_models(head.options)}"
        )
        for turn in self.story.turns:
            yield Rule(f"turn {turn.number}", style="dim")
            yield from self._turn(turn)
        yield Rule(style="dim")
        if self.story.report is None:
            folder = visible(str(self.story.folder))
            yield Text(f"not finished: resume with `steelyard solve --resume {folder}`")
        else:
            yield ResultView(self.story.report, shows_code=False, shows_logs=False)

    def _turn(self, turn: Turn) -> Iterator[RenderableType]:
        for plan, pruned in turn.plans:
            stated = f" ({visible(plan.expected_complexity)})" if plan.expected_complexity else ""
            yield _line("plan", visible(plan.algorithm)[:_PLAN_CHARS] + stated)
            for finding in pruned:
                yield _line(
                    "pruned",
                    f"{finding.rule}: {visible(finding.message)}; {visible(finding.evidence)}",
                    "red",
                )
        if turn.code is not None:
            lines = turn.code.code_cpp.count("\n") + 1
            yield _line("code", f"{_many(lines, 'line')}, iter_{turn.number}/code.*")
            if self.shows_code:
                yield _program(turn.code)
        if turn.tests is not None:
            yield _tests(turn.tests)
        if turn.profile is not None:
            yield from _profile(turn.profile)
        if turn.verdict is not None:
            yield from _verdict(turn.verdict)


def _program(code: CodeMessage) -> Text:
    """Return the program's lines unwrapped, so that they can be copied from the screen."""
    return Text(visible_lines(code.code_cpp).rstrip(), no_wrap=True, overflow="ignore")


def _models(options: SolveOptions) -> str:
    roles = {
        "planner": options.planner,
        "coder": options.coder,
        "analyst": options.analyst,
    }
    if len(set(roles.values())) == 1:
        return f"all roles {visible(options.planner)}"
    return ", ".join(f"{role} {visible(name)}" for role, name in roles.items())


def _line(name: str, text: str, style: str = "") -> Text:
    return Text.assemble((f"{name:<8} ", "cyan"), (text, style))


def _tests(result: VerifyResult) -> Text:
    if not result.compile.ok:
        first = visible(str(result.compile.errors[0])) if result.compile.errors else ""
        return _line("tests", f"does not compile: {first}", "red")
    passed = sum(case.verdict == "AC" for case in result.cases)
    failed = next((case for case in result.cases if case.verdict != "AC"), None)
    text = f"{passed} of {len(result.cases)} pass"
    if failed is not None:
        text += f"; {visible(failed.name)}: {failed.verdict}, {visible(failed.message)}"
    return _line("tests", text, "red" if failed else "green")


def _profile(report: ProfileReport) -> Iterator[RenderableType]:
    if not report.measured:
        why = "; ".join(report.notes) or "no input was available"
        yield _line("profile", f"not measured: {visible(why)}", "yellow")
        return
    yield _line("profile", f"time {report.time}, memory {report.space}")
    for spot in report.hotspots[:2]:
        yield _line("", visible(spot))
    yield Padding(CurveView(report), (0, 0, 0, 9))


def _verdict(verdict: VerdictMessage) -> Iterator[RenderableType]:
    outcome, style = _AGENTS.get(verdict.target_agent or "", "refused"), "red"
    if verdict.efficient is None:
        outcome, style = "unproved", "yellow"
    if verdict.efficient:  # the result of the run has the reason
        yield _line("verdict", "efficient", "bold green")
    else:
        yield _line("verdict", f"{outcome}: {clause(verdict.reason)}", style)
    if verdict.patch and verdict.basis != "tests":  # the tests' line has it already
        for line in visible_lines(verdict.patch).splitlines():
            yield _line("", line)
    if verdict.perf_gain:
        left = 1 - verdict.perf_gain
        yield _line("", f"it costs {percent(left)} of the best earlier program")


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
