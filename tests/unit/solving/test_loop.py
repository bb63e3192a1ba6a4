"""What the loop decides from figures that no real program gives on demand."""

import json
import math
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from steelyard.models import Reply, Request, ScriptedModel
from steelyard.runs import Run, exchanges_in
from steelyard.sandbox import CellPool
from steelyard.schemas import (
    Band,
    CaseResult,
    CodeMessage,
    CompileResult,
    ComplexityEstimate,
    Constraints,
    Measurement,
    PlanMessage,
    Prediction,
    ProblemInput,
    ProfileReport,
    RunResult,
    StopReason,
    UnitTest,
    Verdict,
    VerdictMessage,
    VerifyResult,
)
from steelyard.solving import Pruner, RunHead, SolveOptions
from steelyard.solving._analysis import Attempt, Cost
from steelyard.solving._loop import Loop
from steelyard.solving._roles import MODEL_OF
from steelyard.solving._trials import Agreement, Stressed, Use

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


def fails(stop: StopReason) -> ProfileReport:
    """Of a program that small inputs cost next to nothing, and that fails on a larger one."""
    small = Band(low=1, mid=1, high=1)
    misses = False if stop is not StopReason.SIGNALED else None
    return ProfileReport(
        prediction=Prediction(n=1_000, memory_mib=small, meets_time_limit=misses),
        measurements=(
            Measurement(n=10, cpu_ms=1, memory_mib=1, repetitions=5),
            Measurement(n=20, repetitions=1, stop=stop),
        ),
    )


def quadratic(cpu_ms: float) -> ProfileReport:
    estimate = ComplexityEstimate.model_validate({"class": "O(n^2)", "confidence": 1.0})
    return report(cpu_ms, meets=False).model_copy(update={"time": estimate})


class Figures:
    """In the place of the evaluator: programs pass their test, but for some, and have figures."""

    def __init__(self, reports: Sequence[ProfileReport], judged: Sequence[VerifyResult]) -> None:
        self._reports, self._judged = iter(reports), iter(judged)
        self.trials = Agreeing()

    def judge(self, _code: CodeMessage) -> VerifyResult:
        case = CaseResult(name="1", verdict=Verdict.AC)
        ok = CompileResult(ok=True)
        passed = VerifyResult(success=True, reward=1, details="", compile=ok, cases=(case,))
        return next(self._judged, passed)

    def profile(self, _code: CodeMessage, _generator: str, _bounds: Any) -> ProfileReport:
        return next(self._reports)


class Agreeing:
    """In the place of the trials: nothing speaks against a program."""

    def fault_of_reference(self, _text: str) -> str:
        return ""

    def compared(self, *_: Any) -> Agreement:
        return Agreement(with_reference=1, reference_n=8)

    def stressed(self, *_: Any, **__: Any) -> Stressed:
        return Stressed(n=1_000, uses=(Use(name="seed 0", cpu_ms=1, memory_mib=1),))

    def overflow(self, *_: Any) -> tuple[str, int]:
        return "", 1


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
    judged: Sequence[VerifyResult] = (),
    problem: ProblemInput = PROBLEM,
) -> tuple[RunResult, list[str]]:
    """A run with as many programs as figures and judgements, after other replies of the coder's.

    Gives its result, and who was asked.
    """
    script = tmp_path / "replies.json"
    programs = len(reports) + sum(not each.success for each in judged)
    coder = [{"code_cpp": f"int main() {{ return {i}; }}"} for i in range(programs)]
    script.write_text(
        json.dumps(
            {
                "planner": list(planner),
                "coder": [*before, *coder],
                "analyst": list(analyst),
                "reference": [{"code_python": "print(1)"}],
                "attacker": [{"input_generator": None}] * programs,
            }
        )
    )
    name = f"scripted:{script}"
    options = SolveOptions(
        planner=name, coder=name, analyst=name, max_iter=programs, allow_unmeasured=True
    )
    head = RunHead(task_id="a", problem=problem, options=options, flags="-O2")
    models = dict.fromkeys(("planner", "coder", "analyst"), model(script))
    evaluator: Any = Figures(reports, judged)
    with CellPool(1) as pool:
        run = Run("solve", pool, model_of=MODEL_OF)
        run.use(models)
        run.begin(tmp_path / "a", head)
        result = await Loop(head, run, Pruner(), evaluator).run()
        run.close()
    result = result.model_copy(update={"notes": run.notes})
    asked = [each.request.role for each in exchanges_in(tmp_path / "a")]
    return result, [role for role in asked if role in models]


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
        assert "the analyst gave no valid answer" in result.reason


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


FAILURES = [StopReason.WALL_LIMIT, StopReason.SIGNALED]


class TestFailures:
    """Programs that fail on larger inputs: they have no cost."""

    @pytest.mark.parametrize("stop", FAILURES)
    async def test_they_are_no_baseline_and_not_the_best(
        self, tmp_path: Path, stop: StopReason
    ) -> None:
        result, _ = await run(tmp_path, [fails(stop), quadratic(3_000)])
        assert (result.stop, result.iterations) == ("max-iterations", 2)
        assert result.verdict is not None
        assert result.verdict.perf_gain == 0
        assert result.code is not None
        assert "return 1" in result.code.code_cpp

    @pytest.mark.parametrize("stop", FAILURES)
    async def test_one_after_a_program_that_came_to_its_end_is_sent_back(
        self, tmp_path: Path, stop: StopReason
    ) -> None:
        reports = [report(3_000, meets=False), fails(stop), report(2_990, meets=False)]
        result, asked = await run(tmp_path, reports)
        assert asked == ["planner", "coder", "coder", "coder"]
        assert (result.stop, result.iterations) == ("diminishing", 3)
        assert result.code is not None
        assert "return 2" in result.code.code_cpp

    @pytest.mark.parametrize("stop", FAILURES)
    async def test_to_mend_them_is_not_the_coder_s_try_at_cost(
        self, tmp_path: Path, stop: StopReason
    ) -> None:
        reports = [fails(stop), quadratic(90_000), quadratic(30_000), report(1, meets=True)]
        result, asked = await run(tmp_path, reports, planner=[PLAN] * 2)
        assert asked == ["planner", "coder", "coder", "coder", "planner", "coder"]
        assert result.status == "success"


BROKEN = VerifyResult(
    success=False, reward=0, details="", compile=CompileResult(ok=False), cases=()
)
WRONG = VerifyResult(
    success=False,
    reward=0,
    details="",
    compile=CompileResult(ok=True),
    cases=(CaseResult(name="1", verdict=Verdict.WA),),
)


class TestBest:
    @pytest.mark.parametrize("judged", [[BROKEN, WRONG], [WRONG, BROKEN]])
    async def test_what_compiles_goes_before_what_does_not(
        self, tmp_path: Path, judged: list[VerifyResult]
    ) -> None:
        result, _ = await run(tmp_path, [], judged=judged)
        assert result.code is not None
        assert f"return {judged.index(WRONG)}" in result.code.code_cpp

    async def test_of_two_alike_the_later_one_is_taken(self, tmp_path: Path) -> None:
        result, _ = await run(tmp_path, [], judged=[WRONG, WRONG])
        assert result.code is not None
        assert "return 1" in result.code.code_cpp

    def test_the_order(self) -> None:
        def attempt(cost: Cost | None = None, passed: int = 9, **more: Any) -> Attempt:
            code, plan = CodeMessage(code_cpp="x"), PlanMessage.model_validate(PLAN)
            return Attempt(code, plan, passed, **{"right": True, "cost": cost, **more})

        ascending = [
            attempt(passed=0, right=False, compiles=False),
            attempt(passed=0, right=False),
            attempt(passed=8, right=False),
            attempt(Cost(math.inf, math.inf)),
            attempt(Cost(None, 0.1)),
            attempt(Cost(9, 0.1)),
            attempt(Cost(0.1, 2)),
            attempt(Cost(math.inf, 1), verdict=VerdictMessage(efficient=True)),
        ]
        ranks = [each.rank for each in ascending]
        assert all(low < high for low, high in pairwise(ranks))


class TestTold:
    async def test_programs_are_counted_where_one_was_written(self, tmp_path: Path) -> None:
        result, _ = await run(tmp_path, [report(1, meets=True)], before=["prose"] * 4)
        assert (result.iterations, result.programs) == (1, 0)
        (tmp_path / "again").mkdir()
        result, _ = await run(tmp_path / "again", [], judged=[WRONG])
        assert (result.iterations, result.programs) == (1, 1)
        assert "none of 1 program is both correct" in result.reason

    async def test_a_bound_of_the_planner_s_alone_is_named(self, tmp_path: Path) -> None:
        plan = PLAN | {"input_bounds": {"rows": 10, "cols": 7}}
        result, _ = await run(tmp_path, [report(1, meets=True)], planner=[plan])
        assert result.status == "success"
        (note,) = result.notes
        assert "the planner's own bounds (rows = 10, cols = 7)" in note

    async def test_a_bound_of_the_problem_s_is_not(self, tmp_path: Path) -> None:
        plan = PLAN | {"input_bounds": {"n": 10}}
        stated = PROBLEM.model_copy(update={"input_bounds": {"n": 1_000}})
        result, _ = await run(tmp_path, [report(1, meets=True)], planner=[plan], problem=stated)
        assert result.notes == ()

    async def test_what_was_not_measured_is_not_said_to_be_proved(self, tmp_path: Path) -> None:
        bare = PROBLEM.model_copy(update={"input_generator": None})
        result, _ = await run(tmp_path, [report(1, meets=True)], problem=bare)
        assert (result.status, result.stop, result.growth) == ("success", "right", "not-measured")
        assert result.verdict is not None
        assert result.verdict.basis == "tests"
        assert "growth was not measured" in result.verdict.reason
        assert "not proved" in result.reason


class TestReplies:
    async def test_a_plan_that_is_too_long_goes_back(self, tmp_path: Path) -> None:
        long = PLAN | {"pseudocode": "for i in 1..n:\n  x = x + 1\n" * 100}
        result, asked = await run(tmp_path, [report(1, meets=True)], planner=[long, PLAN])
        assert asked == ["planner", "planner", "coder"]
        assert result.plan is not None
        assert result.plan.pseudocode is None
        said = exchanges_in(tmp_path / "a")[1].request.messages[-1].text
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
        assert "gave no valid value in 2 replies" in result.notes[0]

    async def test_the_second_crash_ends_the_run(self, tmp_path: Path) -> None:
        result, asked = await run(tmp_path, [report(1, meets=True)], before=["prose"] * 4)
        assert asked.count("coder") == 4
        assert (result.status, result.stop) == ("failed", "agent-crashes")

    async def test_what_the_cache_could_not_keep_is_said_once(self, tmp_path: Path) -> None:
        result, _ = await run(tmp_path, [report(1, meets=True)], model=Forgetful)
        assert result.status == "success"
        assert [note for note in result.notes if "the disk is full" in note] == list(result.notes)
        assert len(result.notes) == 1
