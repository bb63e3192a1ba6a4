"""Who mends what, from tests and figures."""

import pytest

from assayer.schemas import (
    Band,
    CaseResult,
    CompileResult,
    ComplexityEstimate,
    Constraints,
    Diagnostic,
    Difference,
    Measurement,
    PlanMessage,
    Prediction,
    ProfileReport,
    StopReason,
    Verdict,
    VerifyResult,
)
from assayer.solving._analysis import Cost, cost_of, finding_of, finding_of_tests, gain_of

LIMITS = Constraints(runtime_limit=1_000, memory_limit=64)
OK = CompileResult(ok=True)


def plan(complexity: str | None = "O(n log n)") -> PlanMessage:
    return PlanMessage(problem_statement="p", algorithm="a", expected_complexity=complexity)


def report(
    cpu_ms: float = 100,
    memory_mib: float = 10,
    time: str = "O(n log n)",
    *,
    meets: tuple[bool | None, bool | None] = (True, True),
    measurements: tuple[Measurement, ...] = (),
    notes: tuple[str, ...] = (),
) -> ProfileReport:
    return ProfileReport(
        time=ComplexityEstimate.model_validate({"class": time, "confidence": 1.0}),
        prediction=Prediction(
            n=100_000,
            cpu_ms=Band(low=cpu_ms * 0.8, mid=cpu_ms, high=cpu_ms * 1.2),
            memory_mib=Band(low=memory_mib, mid=memory_mib, high=memory_mib),
            meets_time_limit=meets[0],
            meets_memory_limit=meets[1],
        ),
        measurements=measurements,
        notes=notes,
        hotspots=("lines 3: 90% of the work, O(n)",),
    )


class TestTests:
    def test_a_program_that_does_not_compile_goes_back_with_the_diagnostics(self) -> None:
        broken = CompileResult(
            ok=False, errors=(Diagnostic(severity="error", message="expected ';'", line=7),)
        )
        found = finding_of_tests(VerifyResult(success=False, reward=0, details="", compile=broken))
        assert found is not None
        assert found.target == "CODER"
        assert "7: error: expected ';'" in (found.patch or "")

    def test_the_first_failing_case_goes_back(self) -> None:
        cases = (
            CaseResult(name="1", verdict=Verdict.AC),
            CaseResult(
                name="2", verdict=Verdict.WA, message="line 1 differs",
                difference=Difference(line=1, column=1, expected="10000000000", got="1410065408"),
            ),
            CaseResult(name="3", verdict=Verdict.TLE, message="too slow"),
        )  # fmt: skip
        found = finding_of_tests(
            VerifyResult(success=False, reward=0.5, details="", compile=OK, cases=cases)
        )
        assert found is not None
        assert found.efficient is False
        assert found.target == "CODER"
        assert "1 of 3" in (found.patch or "")
        assert "1410065408" in (found.patch or "")
        assert "too slow" not in (found.patch or "")

    def test_what_is_shown_of_a_failure_is_bounded(self) -> None:
        case = CaseResult(name="1", verdict=Verdict.RTE, message="m", stderr="x" * 100_000)
        found = finding_of_tests(
            VerifyResult(success=False, reward=0, details="", compile=OK, cases=(case,))
        )
        assert found is not None
        assert len(found.patch or "") <= 1_500

    def test_a_program_that_passes_has_no_finding(self) -> None:
        case = CaseResult(name="1", verdict=Verdict.AC)
        passed = VerifyResult(success=True, reward=1, details="", compile=OK, cases=(case,))
        assert finding_of_tests(passed) is None


class TestFigures:
    def test_what_keeps_its_limits_is_efficient(self) -> None:
        assert finding_of(report(), plan(), LIMITS, patched=False).efficient is True

    @pytest.mark.parametrize("meets", [(None, True), (True, None), (None, None)])
    def test_figures_that_do_not_say_leave_a_doubt(
        self, meets: tuple[bool | None, bool | None]
    ) -> None:
        assert finding_of(report(meets=meets), plan(), LIMITS, patched=False).efficient is None

    @pytest.mark.parametrize(
        ("cpu_ms", "measured", "planned", "patched", "target"),
        [
            # more than the plan promises: the program's fault, however much it is
            (90_000, "O(n^2)", "O(n log n)", False, "CODER"),
            # what the plan promises, by far too slow: the plan's
            (90_000, "O(n^2)", "O(n^2)", False, "PLANNER"),
            # near the limit: constants
            (2_500, "O(n^2)", "O(n^2)", False, "CODER"),
            # the coder was asked before
            (2_500, "O(n^2)", "O(n^2)", True, "PLANNER"),
            (90_000, "O(n^2)", "O(n log n)", True, "PLANNER"),
            # the plan does not say
            (90_000, "O(n^2)", None, False, "PLANNER"),
            (90_000, "O(n^2)", "quick enough", False, "PLANNER"),
            # nothing is known of its growth
            (2_500, "unsure", "O(n)", False, "CODER"),
            (90_000, "unsure", "O(n)", False, "PLANNER"),
        ],
    )
    def test_who_mends_what_is_too_slow(
        self, cpu_ms: float, measured: str, planned: str | None, *, patched: bool, target: str
    ) -> None:
        slow = report(cpu_ms, time=measured, meets=(False, None))
        found = finding_of(slow, plan(planned), LIMITS, patched=patched)
        assert (found.efficient, found.target) == (False, target)
        assert "limit 1 s" in found.reason

    @pytest.mark.parametrize(
        ("memory_mib", "patched", "target"),
        [(100, False, "CODER"), (100, True, "PLANNER"), (4_000, False, "PLANNER")],
    )
    def test_who_mends_what_takes_too_much_memory(
        self, memory_mib: float, *, patched: bool, target: str
    ) -> None:
        large = report(memory_mib=memory_mib, meets=(True, False))
        found = finding_of(large, plan(), LIMITS, patched=patched)
        assert (found.efficient, found.target) == (False, target)
        assert "memory" in found.reason
        assert "64 MiB" in found.reason

    def test_a_crash_on_a_larger_input_goes_back_to_the_coder(self) -> None:
        crash = Measurement(n=1_000, repetitions=1, stop=StopReason.SIGNALED)
        found = finding_of(
            report(
                meets=(None, None), measurements=(crash,),
                notes=("at n = 1000 the program was ended by signal 11",),
            ),
            plan(), LIMITS, patched=False,
        )  # fmt: skip
        assert (found.efficient, found.target) == (False, "CODER")
        assert "signal 11" in found.reason


class TestGain:
    def test_it_is_the_share_saved_of_what_is_nearest_to_its_limit(self) -> None:
        before = cost_of(report(cpu_ms=2_000, memory_mib=32), LIMITS)
        after = cost_of(report(cpu_ms=500, memory_mib=48), LIMITS)
        assert before.worst == pytest.approx(2.0)
        assert after.worst == pytest.approx(0.75)
        assert gain_of(after, before) == pytest.approx(1 - 0.75 / 2)

    @pytest.mark.parametrize(
        ("cost", "before"),
        [(None, Cost(1, 1)), (Cost(1, 1), None), (Cost(None, None), Cost(1, 1))],
    )
    def test_there_is_none_where_one_is_not_known(
        self, cost: Cost | None, before: Cost | None
    ) -> None:
        assert gain_of(cost, before) == 0
