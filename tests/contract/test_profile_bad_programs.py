"""A program that fails, hides its work or is not what it should be gets no made-up class."""

from pathlib import Path
from typing import Any

import pytest

from steelyard.errors import UsageError
from steelyard.profiling import Input, Point, Wanted, compare_growth, headline, profile
from steelyard.sandbox import Blob, CellPool
from steelyard.schemas import Limits, ProfileReport, values

SUM_PY = "n = int(input())\ntotal = 0\nfor i in range(200 * n):\n    total += i\nprint(total)\n"
SUM_CPP = """\
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <unistd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
int main() {
  int n; if (scanf("%d", &n) != 1) return 1;
  int *all = (int *)malloc(4000 * n); volatile long sum = 0;
  for (int i = 0; i < 1000 * n; i++) { all[i] = i; sum += all[i / 2]; }
  printf("%ld", sum); fflush(stdout);
  END
}
"""


class Sizes:
    """Inputs that hold nothing but their size, as text or as a call's argument."""

    description = "sizes"

    def __init__(self, *, calls: bool = False) -> None:
        self.calls = calls

    def get(self, point: Point, seed: int) -> Input:
        text = values.encode([[point.n], None, 0]) if self.calls else f"{point.n}\n"
        return Input(point, Blob(text.encode()))


def report_on(pool: CellPool, source: str, **options: Any) -> ProfileReport:
    given: dict[str, Any] = {"inputs": Sizes(), "max_n": 128, "budget_s": 2.0, "pool": pool}
    return profile(source, **(given | options))


UNCHECKED = (
    "too few times rise above that of the start to check the counted work; the class is less sure"
)


def cpp(pool: CellPool, end: str, **options: Any) -> ProfileReport:
    return report_on(pool, SUM_CPP.replace("END", end), language="cpp", **options)


def works(report: ProfileReport) -> dict[int, int]:
    return {size.n: size.work for size in report.measurements if size.work is not None}


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (SUM_PY + "1 / 0\n", "ended with status 1 (ZeroDivisionError: division by zero)"),
        (SUM_PY + "raise SystemExit(3)\n", "ended with status 3 on"),
        ("import os\nos.abort()\n", "was ended by signal 6"),
        ("n = int(input())\nprint('? 1', flush=True)\nanswer = input()\n", "EOFError"),
        ("print('x' * (60 << 20))\n", "wrote too much"),
        ("import os\nn = input()\nos.closerange(0, 100)\nprint(n)\n", "ended with status"),
    ],
)
def test_a_program_that_fails_everywhere_has_no_class(
    pool: CellPool, source: str, words: str
) -> None:
    report = report_on(pool, source)
    for estimate in (report.time, report.space):
        assert estimate.complexity == "unsure"
        assert estimate.reason == "no size could be measured, and 6 are needed; see the notes"
    (note,) = report.notes
    assert words in note
    assert "on its smallest input (n = 1); check" in note
    assert works(report) == {}
    assert report.prediction.cpu_ms is None
    assert report.prediction.memory_mib is None
    assert "too-few-sizes" in report.flags
    assert "no-counts" not in report.flags  # of a class that is not there


@pytest.mark.exhaustive
def test_a_native_program_that_fails_everywhere_has_no_class(pool: CellPool) -> None:
    report = cpp(pool, "return 3;")
    assert report.time.unsure
    assert "ended with status 3" in report.notes[0]
    assert works(report) == {}


def test_a_failure_at_the_smallest_input_costs_that_size_alone(pool: CellPool) -> None:
    report = cpp(pool, "return n < 2 ? 3 : 0;")
    assert report.time.complexity == "O(n)"
    assert report.notes == ("at n = 1 the program ended with status 3", UNCHECKED)
    assert 1 not in works(report)
    assert 2 in works(report)


def test_sizes_that_fail_are_told_and_the_class_is_that_of_the_others(pool: CellPool) -> None:
    report = cpp(pool, "if (n > 100) abort();")
    assert report.time.complexity == "O(n)"
    assert max(works(report)) == 64
    assert report.notes == ("at n = 128 the program was ended by signal 6", UNCHECKED)
    assert not report.prediction.measured
    assert headline(report).endswith("It failed at n = 128.")


@pytest.mark.parametrize(
    "end", ["_exit(0);", pytest.param("quick_exit(0);", marks=pytest.mark.exhaustive)]
)
def test_a_program_that_skips_its_exit_handlers_is_counted(pool: CellPool, end: str) -> None:
    report = cpp(pool, end)
    assert (report.time.complexity, report.time.basis) == ("O(n)", "work")
    assert report.notes == (UNCHECKED,)


def test_a_python_program_that_skips_its_exit_handlers_is_counted(pool: CellPool) -> None:
    report = report_on(pool, f"import os, sys\n{SUM_PY}sys.stdout.flush()\nos._exit(0)\n")
    assert (report.time.complexity, report.time.basis) == ("O(n)", "work")


def test_where_counts_are_missing_it_is_said_and_memory_is_still_known(pool: CellPool) -> None:
    report = cpp(pool, "syscall(SYS_exit_group, 0);")
    assert works(report) == {}
    assert report.time.basis == "time"
    assert "no-counts" in report.flags
    assert "at n = 1 the program exited without writing its counts" in report.notes
    assert (report.space.complexity, report.space.basis) == ("O(n)", "heap")


def test_threads_are_flagged(pool: CellPool) -> None:
    report = cpp(pool, "std::thread([&] { sum += 1; }).join();")
    assert "threads" in report.flags


@pytest.mark.parametrize("source", ["print(sum(i * i for i in range(1000)))\n", "pass"])
def test_a_program_that_reads_nothing_is_constant(pool: CellPool, source: str) -> None:
    report = report_on(pool, source)
    assert report.time.complexity == "O(1)"
    assert report.space.complexity == "O(1)"


@pytest.mark.exhaustive
def test_a_child_of_the_program_does_not_spoil_its_counts(pool: CellPool) -> None:
    report = cpp(pool, "if (fork() == 0) exit(0); wait(nullptr);")
    assert (report.time.complexity, report.time.basis) == ("O(n)", "work")


def test_too_few_sizes_name_no_class_but_the_largest_is_measured(pool: CellPool) -> None:
    report = report_on(pool, SUM_PY, min_n=100, limits=Limits(cpu_ms=60_000))
    for estimate in (report.time, report.space):
        assert estimate.complexity == "unsure"
        assert estimate.reason == (
            "1 size could be measured, and 6 are needed; widen the range of n"
        )
    assert report.flags == ("too-few-sizes",)
    assert report.prediction.measured
    assert report.prediction.meets_time_limit is True


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def f(n): return 1 // 0", "raised ZeroDivisionError: integer division or modulo by zero"),
        ("def g(n): return n", "could not be called: "),
        ("import os\ndef f(n): os._exit(0)", "ended before it returned"),
        ("def f(n): raise ValueError('\\x1b[2J')", "raised ValueError: \\x1b[2J"),
    ],
)
def test_a_function_that_fails_has_no_class(pool: CellPool, source: str, words: str) -> None:
    report = report_on(pool, source, inputs=Sizes(calls=True), entry="function:f")
    assert report.time.unsure
    assert words in report.notes[0]
    assert works(report) == {}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"max_n": 10**400}, "is above 10^18; make it smaller"),
        ({"parameter": f"m=1:{10**30}:n"}, "the largest m is above 10^18"),
        (
            {"limits": Limits(cpu_ms=86_000_000)},
            "the time limit must be above 0 and at most 3,600,000 ms",
        ),
        ({"limits": Limits(memory_mib=1 << 20)}, "the memory limit must be above 0 and at most"),
        ({"budget_s": float("inf")}, "budget_s: input should be a finite number, got inf"),
        ({"language": "cpp", "entry": "function:f"}, "use stdio for C++"),
        ({"entry": "asserts"}, "cannot be profiled"),
    ],
)
def test_a_wrong_call_is_told_before_anything_is_measured(
    pool: CellPool, options: dict[str, Any], words: str
) -> None:
    source = "int main() {}" if "language" in options else SUM_PY
    with pytest.raises(UsageError, match=r"; |one$|, got ") as caught:
        report_on(pool, source, **options)
    assert words in str(caught.value).replace("\n", " ")


@pytest.mark.parametrize("budget_ms", [1.0, 8_000.0, 1e12])
def test_a_run_that_measures_has_limits_at_every_budget(budget_ms: float) -> None:
    limits = Wanted(time_ms=3_600_000, memory_mib=1 << 18).for_timed_runs(budget_ms)
    assert limits.cpu_ms >= 2 * 3_600_000
    usual = Wanted().for_timed_runs(budget_ms)
    assert usual.cpu_ms == min(max(budget_ms, 1_000), 3_600_000), "the budget bounds an endless run"
    assert usual.cpu_ms < usual.wall_ms <= 2 * usual.cpu_ms, "also one that sleeps"


def test_without_the_heap_library_memory_is_the_resident_set(
    pool: CellPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("steelyard.profiling.counting._outcome.heap_library", lambda: None)
    report = cpp(pool, "return 0;")
    assert report.time.complexity == "O(n)"
    assert report.space.basis == "resident"
    assert "at n = 1 its peak heap memory is unknown" in report.notes
    assert "heap" not in report.method.memory


def test_of_two_programs_one_that_fails_leaves_the_other_its_report(pool: CellPool) -> None:
    options: dict[str, Any] = {"inputs": Sizes(), "max_n": 128, "budget_s": 2.0, "pool": pool}
    compared = compare_growth(SUM_PY, "1 / 0", **options)
    assert compared.first.time.complexity == "O(n)"
    assert compared.second.time.unsure
    assert (compared.ratio, compared.growth_ratio, compared.crossover_n) == (None, None, None)
    assert "no size was timed for both programs" in compared.notes


def test_of_two_programs_one_that_does_not_compile_is_named_at_once(
    pool: CellPool, tmp_path: Path
) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("def f(:")
    measured: list[str] = []
    with pytest.raises(UsageError, match=r"wrong\.py does not compile"):
        compare_growth(
            SUM_PY,
            wrong,
            inputs=Sizes(),
            max_n=512,
            pool=pool,
            on_event=lambda event: measured.append(event.stage),
        )
    assert measured == []


def test_a_reply_of_a_model_is_profiled_by_its_block(pool: CellPool) -> None:
    report = report_on(pool, f"Here it is:\n```python\n{SUM_PY}\n```\n", budget_s=1.0)
    assert report.measured
    assert "judged fenced `python` block 1 of 1 of the reply" in report.notes


def test_an_empty_program_is_refused(pool: CellPool) -> None:
    with pytest.raises(UsageError, match="the program is empty"):
        report_on(pool, "  \n")
    with pytest.raises(UsageError, match="the program is empty"):
        report_on(pool, "```python\n```\n")
