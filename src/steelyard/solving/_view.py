"""Show the result of the solve loop."""

from collections.abc import Iterator

from steelyard.profiling import view as profile_view
from steelyard.reports import (
    Block,
    Code,
    Figure,
    Figures,
    Heading,
    Headline,
    Items,
    Note,
    Span,
    Text,
    clause,
    counted,
    mebibytes,
    milliseconds,
)
from steelyard.schemas import (
    RunResult,
)

_TONES = {
    "success": "strong good",
    "static_prune_failed": "strong bad",
    "failed": "strong bad",
    "sandbox_error": "strong warn",
}
_OUTCOMES = {"holds": "good", "fails": "bad", "missing": "warn"}


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
