"""What the loop decides from figures that no real program gives on demand."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from assayer.models import Budget, Reply, Request, ScriptedModel
from assayer.schemas import (
    Band,
    CaseResult,
    CodeMessage,
    CompileResult,
    ComplexityEstimate,
    Constraints,
    Measurement,
    Prediction,
    ProblemInput,
    ProfileReport,
    RunResult,
    UnitTest,
    Verdict,
    VerifyResult,
)
from assayer.solving import Journal, Pruner, SolveOptions
from assayer.solving._crew import Crew
from assayer.solving._loop import Loop

PROBLEM = ProblemInput(
    task_id="a",
    prompt="p",
    constraints=Constraints(runtime_limit=1_000, memory_limit=64),
    unit_tests=(UnitTest(input="1", output="1"),),
    input_generator="def generate(n, seed): ...",
)
PLAN = {"problem_statement": "p", "algorithm": "a", "expected_complexity": "O(n)"}
GOOD = {"efficient": True}
BAD = {"efficient": False, "target_agent": "CODER", "patch": "less work"}


def report(cpu_ms: float, *, meets: bool | None) -> ProfileReport:
    return ProfileReport(
        time=ComplexityEstimate.model_validate({"class": "O(n)", "confidence": 1.0}),
        prediction=Prediction(
            n=1_000,
            cpu_ms=Band(low=cpu_ms, mid=cpu_ms, high=cpu_ms),
            memory_mib=Band(low=1, mid=1, high=1),
            meets_time_limit=meets,
            meets_memory_limit=True,
        ),
        measurements=(Measurement(n=1_000, cpu_ms=cpu_ms),),
    )


class Figures:
    """In the place of the bench: every program passes its test and has the next figures."""

    def __init__(self, reports: Sequence[ProfileReport]) -> None:
        self._reports = iter(reports)

    def judge(self, _code: CodeMessage) -> VerifyResult:
        case = CaseResult(name="1", verdict=Verdict.AC)
        ok = CompileResult(ok=True)
        return VerifyResult(success=True, reward=1, details="", compile=ok, cases=(case,))

    def profile(self, _code: CodeMessage, _generator: str, _bounds: Any) -> ProfileReport:
        return next(self._reports)


class Forgetful(ScriptedModel):
    """As one with a cache before it that is full."""

    async def complete(self, request: Request) -> Reply:
        reply = await super().complete(request)
        return reply.model_copy(update={"not_kept": "the disk is full"})


async def run(
    tmp_path: Path,
    reports: Sequence[ProfileReport],
    analyst: Sequence[Any] = (),
    planner: Sequence[Any] = (PLAN,),
    before: Sequence[Any] = (),
    model: type[ScriptedModel] = ScriptedModel,
) -> tuple[RunResult, list[str]]:
    """A run with as many programs as figures, after other replies of the coder's.

    Gives its result, and who was asked.
    """
    script = tmp_path / "replies.json"
    coder = [{"code_cpp": f"int main() {{ return {i}; }}"} for i in range(len(reports))]
    script.write_text(
        json.dumps({"planner": list(planner), "coder": [*before, *coder], "analyst": list(analyst)})
    )
    name = f"scripted:{script}"
    options = SolveOptions(planner=name, coder=name, analyst=name, max_iter=len(reports))
    journal = Journal(tmp_path / "a", "a")
    (tmp_path / "a").mkdir()
    models = dict.fromkeys(("planner", "coder", "analyst"), model(script))
    crew = Crew(models, PROBLEM, options, journal, Budget(), "-O2")
    bench: Any = Figures(reports)
    loop = Loop(PROBLEM, options, journal, bench, crew, Pruner(), lambda *_: None)
    result = await loop.run()
    return result, [each.request.role for each in Journal.exchanges_in(tmp_path / "a")]


class TestDoubt:
    @pytest.mark.parametrize("says", [True, False])
    async def test_only_where_figures_leave_one_the_analyst_is_asked(
        self, tmp_path: Path, *, says: bool
    ) -> None:
        result, asked = await run(tmp_path, [report(900, meets=None)], [GOOD if says else BAD])
        assert asked == ["planner", "coder", "analyst"]
        assert result.verdict is not None
        assert result.verdict.basis == "model"
        assert (result.status, result.stop) == (
            ("success", "efficient") if says else ("failed", "max-iterations")
        )

    @pytest.mark.parametrize("meets", [True, False])
    async def test_else_it_is_not(self, tmp_path: Path, *, meets: bool) -> None:
        _, asked = await run(tmp_path, [report(900, meets=meets)])
        assert asked == ["planner", "coder"]

    async def test_an_analyst_that_says_nothing_counts_against_the_program(
        self, tmp_path: Path
    ) -> None:
        result, asked = await run(tmp_path, [report(900, meets=None)], ["prose"] * 3)
        assert asked.count("analyst") == 3
        assert (result.status, result.stop) == ("failed", "max-iterations")
        assert "the analyst gave no answer" in result.reason


class TestGain:
    async def test_it_stops_where_the_last_program_gains_too_little(self, tmp_path: Path) -> None:
        costs = [3_000, 2_950, 100]
        result, _ = await run(tmp_path, [report(each, meets=False) for each in costs])
        assert (result.status, result.stop, result.iterations) == ("failed", "diminishing", 2)
        assert result.code is not None
        assert "return 1" in result.code.code_cpp

    async def test_a_worse_program_does_not_take_the_best_one_s_place(self, tmp_path: Path) -> None:
        result, _ = await run(tmp_path, [report(each, meets=False) for each in (3_000, 9_000)])
        assert (result.stop, result.iterations) == ("diminishing", 2)
        assert result.code is not None
        assert "return 0" in result.code.code_cpp

    async def test_with_gain_enough_it_goes_on_to_the_last(self, tmp_path: Path) -> None:
        reports = [report(each, meets=False) for each in (3_900, 2_500, 1_500)]
        result, asked = await run(tmp_path, reports, planner=[PLAN] * 3)
        assert (result.stop, result.iterations) == ("max-iterations", 3)
        assert asked == ["planner", "coder", "coder", "planner", "coder"]

    async def test_an_efficient_program_ends_it(self, tmp_path: Path) -> None:
        reports = [report(3_000, meets=False), report(500, meets=True), report(1, meets=True)]
        result, _ = await run(tmp_path, reports)
        assert (result.status, result.stop, result.iterations) == ("success", "efficient", 2)
        assert result.verdict is not None
        assert result.verdict.perf_gain == pytest.approx(1 - 500 / 3_000)


class TestReplies:
    async def test_a_plan_that_is_too_long_goes_back(self, tmp_path: Path) -> None:
        long = PLAN | {"pseudocode": "for i in 1..n:\n  x = x + 1\n" * 100}
        result, asked = await run(tmp_path, [report(1, meets=True)], planner=[long, PLAN])
        assert asked == ["planner", "planner", "coder"]
        assert result.plan is not None
        assert result.plan.pseudocode is None
        said = Journal.exchanges_in(tmp_path / "a")[1].request.messages[-1].text
        assert "The plan is too long" in said

    async def test_a_long_generator_is_no_long_plan(self, tmp_path: Path) -> None:
        plan = PLAN | {"input_generator": "# n\n" * 1_000}
        _, asked = await run(tmp_path, [report(1, meets=True)], planner=[plan])
        assert asked == ["planner", "coder"]

    async def test_the_coder_has_one_more_try_each_time(self, tmp_path: Path) -> None:
        good = [report(1, meets=True)]
        result, asked = await run(tmp_path, good, before=["prose", "{", "prose"])
        assert asked.count("coder") == 4
        assert (result.status, len(result.notes)) == ("success", 1)
        assert "gave nothing usable in 2 replies" in result.notes[0]

    async def test_the_second_crash_ends_the_run(self, tmp_path: Path) -> None:
        result, asked = await run(tmp_path, [report(1, meets=True)], before=["prose"] * 4)
        assert asked.count("coder") == 4
        assert (result.status, result.stop) == ("failed", "agent-crashes")

    async def test_what_the_cache_could_not_keep_is_said_once(self, tmp_path: Path) -> None:
        result, _ = await run(tmp_path, [report(1, meets=True)], model=Forgetful)
        assert result.status == "success"
        assert [note for note in result.notes if "the disk is full" in note] == list(result.notes)
        assert len(result.notes) == 1
