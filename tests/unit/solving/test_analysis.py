"""Who mends what, from tests and figures."""

import math

import pytest

from steelyard.schemas import (
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
from steelyard.solving._analysis import Cost, cost_of, finding_of, finding_of_tests, gain_of

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
                name="2",
                verdict=Verdict.WA,
                message="line 1 differs",
                difference=Difference(line=1, column=1, expected="10000000000", got="1410065408"),
            ),
            CaseResult(name="3", verdict=Verdict.TLE, message="too slow"),
        )
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
                meets=(None, None),
                measurements=(crash,),
                notes=("at n = 1,000 the program was ended by signal 11",),
            ),
            plan(),
            LIMITS,
            patched=False,
        )
        assert (found.efficient, found.target) == (False, "CODER")
        assert "signal 11" in found.reason


def done(n: int, cpu_ms: float = 1, memory_mib: float = 1.3) -> Measurement:
    return Measurement(n=n, cpu_ms=cpu_ms, memory_mib=memory_mib, repetitions=5)


def ended(n: int, stop: StopReason) -> Measurement:
    return Measurement(n=n, repetitions=1, stop=stop)


def ended_at(
    *measurements: Measurement,
    prediction: Prediction,
    note: str = "",
    time: str = "O(n)",
) -> ProfileReport:
    return ProfileReport(
        time=ComplexityEstimate.model_validate({"class": time, "confidence": 1.0}),
        prediction=prediction,
        measurements=measurements,
        notes=(note,) if note else (),
    )


SMALL = Band(low=1.2, mid=1.3, high=1.4)
HANGS = ended_at(
    done(3_125),
    ended(6_250, StopReason.WALL_LIMIT),
    prediction=Prediction(n=100_000, memory_mib=SMALL, meets_time_limit=False),
    note="at n = 6,250 the program did not finish in time",
)
RUNS_OUT = ended_at(
    done(49),
    ended(98, StopReason.MEMORY_LIMIT),
    prediction=Prediction(n=100_000, memory_mib=SMALL, meets_memory_limit=False),
    note="at n = 98 the program ran out of memory",
)
CRASHES = ended_at(
    done(3_125),
    ended(6_250, StopReason.SIGNALED),
    prediction=Prediction(n=100_000, memory_mib=SMALL),
    note="at n = 6,250 the program was ended by signal 11",
)
BROKEN = {"hangs": HANGS, "runs out of memory": RUNS_OUT, "crashes": CRASHES}


class TestBreaks:
    """Runs that fail where the smaller sizes let nobody expect it."""

    @pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
    def test_what_small_inputs_took_is_no_cost(self, broken: ProfileReport) -> None:
        cost = cost_of(broken, LIMITS)
        assert cost.worst == math.inf
        assert gain_of(Cost(1, 1), cost) == 0
        assert gain_of(cost, Cost(1, 1)) == 0

    @pytest.mark.parametrize("patched", [True, False])
    @pytest.mark.parametrize(
        ("broken", "said"),
        [
            (HANGS, "at n = 6,250 it did not finish in time, limit 1 s"),
            (RUNS_OUT, "at n = 98 it ran out of memory, limit 64 MiB"),
            (CRASHES, "at n = 6,250 it was ended by signal 11"),
        ],
    )
    def test_it_is_the_coder_s_and_no_matter_of_cost(
        self, broken: ProfileReport, said: str, *, patched: bool
    ) -> None:
        found = finding_of(broken, plan(), LIMITS, patched=patched)
        assert (found.efficient, found.target, found.is_of_cost) == (False, "CODER", False)
        assert found.reason == said
        assert "1.3 MiB" not in (found.patch or "")
        assert "Keep the algorithm" not in (found.patch or "")

    def test_a_hang_of_a_slow_program_is_a_hang(self) -> None:
        slow = Prediction(
            n=100_000, cpu_ms=Band(low=2_000, mid=3_000, high=4_000), meets_time_limit=False
        )
        report = ended_at(done(3_125, 4), ended(6_250, StopReason.WALL_LIMIT), prediction=slow)
        assert cost_of(report, LIMITS).worst == math.inf
        assert "at n = 6,250" in finding_of(report, plan(), LIMITS, patched=False).reason

    @pytest.mark.parametrize(("last_ms", "time"), [(400, "O(n^2)"), (130, "O(n^3)"), (4, "O(2^n)")])
    def test_what_its_curve_leads_to_is_none(self, last_ms: float, time: str) -> None:
        much = Band(low=90_000, mid=100_000, high=110_000)
        slow = Prediction(n=100_000, cpu_ms=much, memory_mib=SMALL, meets_time_limit=False)
        report = ended_at(
            done(3_125, last_ms), ended(6_250, StopReason.CPU_LIMIT), prediction=slow, time=time
        )
        assert cost_of(report, LIMITS).time == pytest.approx(100)
        found = finding_of(report, plan(time), LIMITS, patched=False)
        assert (found.target, found.is_of_cost) == ("PLANNER", True)
        assert "CPU time 1.67 min" in found.reason

    @pytest.mark.parametrize(
        ("works", "stop", "target"),
        [
            # 0.4 ms of difference and work that grows as n: 25 ms at most
            ((100, 200, 400), StopReason.CPU_LIMIT, "CODER"),
            # as n^2: 1.6 s
            ((10_000, 40_000, 160_000), StopReason.CPU_LIMIT, "PLANNER"),
            # no CPU time: it waits
            ((10_000, 40_000, 160_000), StopReason.WALL_LIMIT, "CODER"),
            # too few counts
            ((100, 200), StopReason.CPU_LIMIT, "PLANNER"),
            # memory has no counts: 0.4 MiB may be n^3
            ((100, 200, 400), StopReason.MEMORY_LIMIT, "PLANNER"),
        ],
    )
    def test_counted_work_explains_a_largest_size_or_not(
        self, works: tuple[int, ...], stop: StopReason, target: str
    ) -> None:
        """No finished size takes measurable time: only the work shows how the program grows."""
        memory = stop is StopReason.MEMORY_LIMIT
        largest = Prediction(
            n=100_000,
            meets_time_limit=None if memory else False,
            meets_memory_limit=False if memory else None,
        )
        sizes = [
            done(n, ms, ms).model_copy(update={"work": work})
            for n, ms, work in zip((400, 800, 1_600), (60.0, 60.4, 60.2), works, strict=False)
        ]
        report = ended_at(*sizes, ended(100_000, stop), prediction=largest, time="O(n^2)")
        found = finding_of(report, plan("O(n^2)"), LIMITS, patched=False)
        assert (found.target, found.is_of_cost) == (target, target == "PLANNER")
        assert cost_of(report, LIMITS).worst == math.inf

    @pytest.mark.parametrize(("high_ms", "is_of_cost"), [(1_400, True), (950, False)])
    def test_a_largest_size_within_its_interval_is_no_break(
        self, high_ms: float, *, is_of_cost: bool
    ) -> None:
        near = Prediction(
            n=100_000,
            cpu_ms=Band(low=600, mid=900, high=high_ms),
            memory_mib=SMALL,
            meets_time_limit=False,
        )
        report = ended_at(done(3_125), ended(100_000, StopReason.CPU_LIMIT), prediction=near)
        found = finding_of(report, plan(), LIMITS, patched=False)
        assert (found.target, found.is_of_cost) == ("CODER", is_of_cost)

    def test_one_run_that_stalled_is_none_where_the_largest_was_done(self) -> None:
        largest = Prediction(
            n=100_000,
            cpu_ms=Band(low=9, mid=10, high=11),
            memory_mib=SMALL,
            measured=True,
            meets_time_limit=True,
            meets_memory_limit=True,
        )
        report = ended_at(done(3_125), ended(6_250, StopReason.WALL_LIMIT), prediction=largest)
        assert finding_of(report, plan(), LIMITS, patched=False).efficient is True
        assert cost_of(report, LIMITS).is_finite

    def test_what_waits_is_not_told_of_cpu_time(self) -> None:
        waited = (
            "did not finish in time: it used 2 ms of CPU time in 1.25 s and waited for the rest"
        )
        report = HANGS.model_copy(update={"notes": (f"at n = 6,250 the program {waited}",)})
        found = finding_of(report, plan(), LIMITS, patched=False)
        assert found.reason == f"at n = 6,250 it {waited}, limit 1 s"

    def test_the_note_is_that_of_its_size(self) -> None:
        report = HANGS.model_copy(
            update={"notes": ("at n = 6,2500 the program with counters failed", *HANGS.notes)}
        )
        assert "it did not finish" in finding_of(report, plan(), LIMITS, patched=False).reason

    def test_a_limit_missed_within_the_interval_is_not_said_to_be_kept(self) -> None:
        near = Prediction(
            n=100_000,
            cpu_ms=Band(low=600, mid=900, high=1_400),
            memory_mib=SMALL,
            meets_time_limit=False,
        )
        report = ended_at(done(3_125), prediction=near)
        assert cost_of(report, LIMITS).time == pytest.approx(1.4)
        said = finding_of(report, plan(), LIMITS, patched=False).reason
        assert "CPU time above the limit (predicted, 600 ms to 1.4 s)" in said

    def test_a_missed_limit_with_no_figure_costs_without_end(self) -> None:
        report = ended_at(done(3_125), prediction=Prediction(n=100_000, meets_time_limit=False))
        assert cost_of(report, LIMITS).worst == math.inf
        said = finding_of(report, plan(), LIMITS, patched=False).reason
        assert said == "it did not finish in time at n = 100,000, limit 1 s"


class TestShown:
    def test_a_time_beyond_all_sense_is_cut_short(self) -> None:
        found = finding_of(report(1e300, meets=(False, None)), plan(), LIMITS, patched=False)
        assert "more than 278 h" in found.reason
        assert len(found.reason) < 100
        assert len(found.patch or "") < 400

    def test_time_and_limit_are_in_the_same_units(self) -> None:
        found = finding_of(report(15_434, meets=(False, None)), plan(), LIMITS, patched=False)
        assert "CPU time 15.4 s (predicted, 12.3 s to 18.5 s)" in found.reason


class TestGain:
    def test_it_is_the_share_saved_of_what_is_nearest_to_its_limit(self) -> None:
        before = cost_of(report(cpu_ms=2_000, memory_mib=32), LIMITS)
        after = cost_of(report(cpu_ms=500, memory_mib=48), LIMITS)
        assert before.worst == pytest.approx(2.0)
        assert after.worst == pytest.approx(0.75)
        assert gain_of(after, before) == pytest.approx(1 - 0.75 / 2)

    @pytest.mark.parametrize(
        ("cost", "before"),
        [
            (None, Cost(1, 1)),
            (Cost(1, 1), None),
            (Cost(None, None), Cost(1, 1)),
            (Cost(None, 0.1), Cost(1, 1)),
            (Cost(1, 1), Cost(0.1, None)),
            (Cost(1, 1), Cost(0, 0)),
        ],
    )
    def test_there_is_none_where_one_is_not_known(
        self, cost: Cost | None, before: Cost | None
    ) -> None:
        assert gain_of(cost, before) == 0
