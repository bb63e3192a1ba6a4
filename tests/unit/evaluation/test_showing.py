"""What an evaluation shows while it runs, and on its page."""

import re
from datetime import date
from pathlib import Path

import pytest

from steelyard.evaluation import EvaluationFolder, view_evaluation
from steelyard.evaluation._folder import SampleProgress
from steelyard.evaluation._report import TaskTally
from steelyard.evaluation._report_files import curve_rows
from steelyard.schemas import (
    CaseResult,
    CurvePoint,
    Difference,
    ErrorResult,
    EvaluatedSample,
    EvaluatedTask,
    EvaluationHead,
    Event,
    Verdict,
)

HOSTILE = "<script>alert('\"&')</script>"


def test_progress_shows_rate_failures_cost_and_time_left() -> None:
    events: list[Event] = []
    progress = SampleProgress(events.append, 10)
    progress.cost_usd = 0.5
    progress.skip()
    progress.finish(failed=False)
    progress.finish(failed=True)
    last = events[-1]
    assert re.fullmatch(r"3 of 10 samples, 1 failed, [0-9.e+]+/s, \$0\.50, 1 s left", last.stage)
    assert last.share == 0.3


def test_the_page_shows_hostile_text_as_text_and_loads_nothing(tmp_path: Path) -> None:
    head = EvaluationHead(steelyard="0", benchmark=HOSTILE, origin="model", source=HOSTILE)
    case = CaseResult(
        name=HOSTILE,
        verdict=Verdict.WA,
        message=HOSTILE,
        stdout=HOSTILE,
        stderr=HOSTILE,
        difference=Difference(line=1, column=1, expected=HOSTILE, got=HOSTILE),
    )
    with EvaluationFolder(tmp_path, head) as folder:
        folder.append(
            EvaluatedTask(
                task=HOSTILE,
                digest="0" * 64,
                suite="0" * 64,
                cases=1,
                group=HOSTILE,
                difficulty=HOSTILE,
                time_complexity=HOSTILE,
                time_limit_ms=1_000,
                memory_limit_mib=64,
                statement=HOSTILE,
            )
        )
        sample = EvaluatedSample(
            key="0" * 64,
            task=HOSTILE,
            verdict=Verdict.WA,
            verdicts={Verdict.WA: 1},
            failure=case,
            failing_input=HOSTILE,
            details=HOSTILE,
        )
        program = folder.keep_program(sample, f"</pre>{HOSTILE}\x1b[31m", "py")
        folder.append(sample.model_copy(update={"program": program}))
    view_evaluation(tmp_path, k=(1,), plots=False)
    page = (tmp_path / "report.html").read_text()
    assert "<script>alert" not in page
    samples = page[page.index("<h2>Samples") :]
    assert samples.count("&lt;script&gt;alert") == 10
    assert "&lt;/pre&gt;" in samples
    assert "\x1b" not in page
    assert re.findall(r"""(?:src|href|url)\s*[=(]\s*["']?(?:https?:)?//""", page) == []


def test_a_page_has_room_for_the_first_failure_of_each_task_before_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("steelyard.evaluation._report_files._MOST_CHARS", 20_000)
    head = EvaluationHead(steelyard="0", benchmark="b", origin="samples", source="s")
    with EvaluationFolder(tmp_path, head) as folder:
        for task in ("a", "b", "c"):
            folder.append(
                EvaluatedTask(
                    task=task,
                    digest="0" * 64,
                    suite="0" * 64,
                    cases=1,
                    time_limit_ms=1_000,
                    memory_limit_mib=64,
                    statement=f"Do {task}.",
                )
            )
            for number in range(40 if task == "a" else 2):
                verdict = Verdict.AC if number == 0 else Verdict.WA
                sample = EvaluatedSample(
                    key="0" * 64, task=task, sample=number, verdict=verdict, failing_input="1 2"
                )
                program = folder.keep_program(sample, f"# {task}{number}\n" + "x" * 2_000, "py")
                folder.append(sample.model_copy(update={"program": program}))
    view_evaluation(tmp_path, k=(1,), plots=False)
    page = (tmp_path / "report.html").read_text()
    assert len(page) < 41_000
    samples = page[page.index("<h2>Samples") :]
    assert re.findall(r"Do (.)\.", samples) == ["a", "b", "c"]
    assert re.findall(r"# ([a-c]\d+)", samples) == [f"a{n}" for n in range(1, 8)] + ["b1", "c1"]
    assert re.findall(r"and (\d+) more samples?", samples) == ["33", "1", "1"]


def sample_with(**fields) -> EvaluatedSample:
    return EvaluatedSample(key="0" * 64, task="t", details="details", **fields)


def test_the_reason_of_a_sample_is_its_failing_case_or_its_error() -> None:
    wrong = CaseResult(name="3", verdict=Verdict.WA, message="got 2")
    uncompiled = CaseResult(name="1", verdict=Verdict.CE, message="line 1")
    error = ErrorResult(index=0, type="SandboxError", message="no cell", exit_status=3)
    assert sample_with(verdict=Verdict.WA, failure=wrong).reason == "case 3: got 2"
    assert sample_with(verdict=Verdict.CE, failure=uncompiled).reason == "details"
    assert sample_with(error=error).reason == "no cell"


def test_a_report_shows_months_tasks_and_verdicts_with_the_accepted_first(tmp_path: Path) -> None:
    head = EvaluationHead(steelyard="0", benchmark="b", origin="samples", source="s")
    with EvaluationFolder(tmp_path, head) as folder:
        folder.append(
            EvaluatedTask(
                task="t",
                digest="0" * 64,
                suite="0" * 64,
                cases=1,
                published=date(2026, 1, 2),
                time_limit_ms=1_000,
                memory_limit_mib=64,
            )
        )
        verdicts = (Verdict.WA, Verdict.WA, Verdict.TLE, Verdict.AC)
        for number, verdict in enumerate(verdicts):
            folder.append(sample_with(sample=number, verdict=verdict))
    report = view_evaluation(tmp_path, k=(1,), plots=False)
    assert list(report.verdicts) == [Verdict.AC, Verdict.WA, Verdict.TLE]
    assert "| month | metric | value |" in (tmp_path / "report.md").read_text()
    assert "| 2026-01 | pass@1 | 25.0 % |" in (tmp_path / "report.md").read_text()
    assert "| t | 1 of 4 | AC 1, WA 2, TLE 1 |" in (tmp_path / "report.md").read_text()
    assert "<summary>t<span" in (tmp_path / "report.html").read_text()


def test_curves_are_drawn_by_class_and_hostile_names_are_only_text(tmp_path: Path) -> None:
    pytest.importorskip("plotnine", reason="plotnine is not installed (extra plots)")
    head = EvaluationHead(steelyard="0", benchmark="b", origin="samples", source="s")
    classes = ("O(n)", "O(n^2)", f"$\\frac{{$ {HOSTILE} -->")
    with EvaluationFolder(tmp_path, head) as folder:
        for number, name in enumerate(classes):
            folder.append(
                EvaluatedTask(
                    task=f"t{number}",
                    digest="0" * 64,
                    suite="0" * 64,
                    cases=2,
                    time_complexity=name,
                    time_limit_ms=1_000,
                    memory_limit_mib=64,
                )
            )
            curve = tuple(CurvePoint(size=size, cpu_ms=size / 10) for size in (10.0, 100.0, 1e3))
            key = str(number) * 64
            folder.append(
                EvaluatedSample(key=key, task=f"t{number}", verdict=Verdict.AC, curve=curve)
            )
    view_evaluation(tmp_path, k=(1,))
    page = (tmp_path / "report.html").read_text()
    curves = page[page.index("<h2>Runtime") :]
    svg = curves[: curves.index("</svg>")]
    assert svg.count('id="axes_') == len(classes)
    assert "<script>alert" not in page
    assert (tmp_path / "curves.svg").read_text().startswith("<svg")


def test_many_classes_are_put_together_and_no_curve_is_lost() -> None:
    curve = tuple(CurvePoint(size=size, cpu_ms=size) for size in (10.0, 100.0))
    tallies = [
        TaskTally(
            EvaluatedTask(
                task=f"t{number}",
                digest="0" * 64,
                suite="0" * 64,
                cases=1,
                time_complexity=f"O(n^{number})",
                time_limit_ms=1_000,
                memory_limit_mib=64,
            ),
            [EvaluatedSample(key="0" * 64, task=f"t{number}", verdict=Verdict.AC, curve=curve)],
        )
        for number in range(20)
    ]
    rows = curve_rows(tallies)
    assert len(rows) == 40
    assert len({row["class"] for row in rows}) == 12
    assert sum(row["class"] == "9 other classes" for row in rows) == 18
