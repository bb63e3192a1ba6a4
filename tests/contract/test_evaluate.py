"""An evaluation: metrics from the record alone, and a record that survives everything."""

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from steelyard import Limits, UsageError, Verdict, diff_evaluations, evaluate, view_evaluation
from steelyard.evaluation import EvaluationFolder, merge_evaluations, read_record
from steelyard.schemas import EvaluatedSample, EvaluatedTask, EvaluationHead, EvaluationReport
from tests.evaluation_tasks import (
    TASKS,
    completion,
    right,
    samples,
    task,
    write_benchmark,
    write_lines,
)


def run(folder: Path, rows: list[Any] | None = None, **options: Any) -> EvaluationReport:
    benchmark = write_benchmark(folder)
    file = write_lines(folder / "samples.jsonl", samples() if rows is None else rows)
    options = {"out": folder / "out", "k": (1, 2), "jobs": 1, "plots": False, **options}
    return evaluate(benchmark, samples=file, **options)


def results_in(folder: Path) -> list[EvaluatedSample]:
    return [line for line in read_record(folder) if isinstance(line, EvaluatedSample)]


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, EvaluationReport]:
    """One evaluation, which tests read."""
    folder = tmp_path_factory.mktemp("done")
    return folder / "out", run(folder)


@pytest.fixture
def copied(done: tuple[Path, EvaluationReport], tmp_path: Path) -> EvaluationReport:
    """The same evaluation in the test's own folder, which may be changed and resumed."""
    folder, report = done
    shutil.copytree(folder.parent, tmp_path, dirs_exist_ok=True)
    return report


def test_metrics_count_each_sample_once(done: tuple[Path, EvaluationReport]) -> None:
    _, report = done
    assert (report.tasks, report.samples, report.passes) == (4, 8, 5)
    assert report.metric("pass@k", 1).value == pytest.approx((1 + 1 + 0 + 0.5) / 4)
    assert report.metric("pass@k", 2).value == pytest.approx((1 + 1 + 0 + 1) / 4)
    assert report.metric("pass^k", 2).value == pytest.approx((1 + 1 + 0 + 0) / 4)
    assert report.metric("eff@k_runtime", 1).value == report.metric("pass@k", 1).value
    assert report.verdicts == {Verdict.AC: 5, Verdict.WA: 1, Verdict.TLE: 1, Verdict.CE: 1}
    # 5 x 4 accepted cases; `2 * n` is right for 0 and wrong for 1; the loop's first case ends it.
    assert report.metric("tle_rate").basis == f"1 of {report.executions:,} executions"
    assert report.executions == 5 * 4 + 2 + 1
    assert report.passed


def test_standard_errors_are_clustered_by_group(done: tuple[Path, EvaluationReport]) -> None:
    """`double` and `triple` are one group: three clusters, not four tasks."""
    _, report = done
    mean = 0.625
    squares = (2 - 2 * mean) ** 2 + mean**2 + (0.5 - mean) ** 2
    expected = (3 / 2 * squares) ** 0.5 / 4
    assert report.metric("pass@k", 1).standard_error == pytest.approx(expected)
    assert any(
        "4 tasks in 3 clusters; each task without one is a cluster (2)" in note
        for note in report.notes
    )


def test_every_figure_is_counted_again_from_the_record(
    done: tuple[Path, EvaluationReport],
) -> None:
    folder, report = done
    again = view_evaluation(folder, k=(1, 2), plots=False)
    assert again.metrics == report.metrics
    assert again.scores == report.scores
    wider = view_evaluation(folder, k=(1, 2, 3), plots=False)
    assert wider.metric("pass@k", 3).value is None
    assert EvaluationReport.model_validate_json((folder / "report.json").read_text()) == wider


def test_programs_and_reports_lie_in_the_folder(done: tuple[Path, EvaluationReport]) -> None:
    folder, _ = done
    program = folder / "results" / "double" / "seed_0" / "sample_0.py"
    assert program.read_text() == task("double")["prompt"] + completion("double")
    for name in ("report.html", "report.md", "metrics.csv", "tasks.csv"):
        assert (folder / name).stat().st_size > 100
    with (folder / "tasks.csv").open() as file:
        verdicts = {row["task"]: row["verdicts"] for row in csv.DictReader(file)}
    assert verdicts == {
        "double": "AC 2",
        "triple": "AC 2",
        "square": "WA 1, TLE 1",
        "negate": "AC 1, CE 1",
    }
    page = (folder / "report.html").read_text()
    assert "http" not in page.replace('http-equiv="Content', "")
    samples = page[page.index("<h2>Samples") :]
    assert "Return n * n." in samples  # the statement
    assert ">square(1)</pre>" in samples
    assert "case 2: expected 1, got 2" in samples
    assert "return 2 * n" in samples  # the program


def test_the_same_call_resumes_and_judges_nothing_again(
    copied: EvaluationReport, tmp_path: Path
) -> None:
    record = (tmp_path / "out" / "record.jsonl").read_bytes()
    events: list[str] = []
    again = run(tmp_path, on_event=lambda event: events.append(event.stage))
    assert (tmp_path / "out" / "record.jsonl").read_bytes() == record
    assert again.metrics == copied.metrics
    assert events == []


def test_a_torn_last_line_is_judged_again(copied: EvaluationReport, tmp_path: Path) -> None:
    record = tmp_path / "out" / "record.jsonl"
    lines = record.read_bytes().splitlines(keepends=True)
    samples = b"".join(lines[:-1])  # the last one is the end of the run
    for cut in (1, 40, len(lines[-2])):
        record.write_bytes(samples[:-cut])
        assert not view_evaluation(tmp_path / "out", plots=False).complete
        again = run(tmp_path)
        assert (again.metrics, again.complete) == (copied.metrics, True)
        assert len(record.read_bytes().splitlines()) == len(lines)
    record.write_bytes(b'{"kind":"sam')
    assert run(tmp_path).metrics == copied.metrics


def test_equal_programs_are_judged_once_and_count_as_often_as_they_come(
    done: tuple[Path, EvaluationReport],
) -> None:
    folder, report = done
    assert any("1 sample with the text of an earlier one" in note for note in report.notes)
    triple = [each for each in results_in(folder) if each.task == "triple"]
    assert [each.sample for each in triple] == [0, 1]
    assert triple[0].key == triple[1].key
    assert triple[1].seconds == 0


@pytest.mark.usefixtures("copied")
def test_two_processes_cannot_write_one_folder(tmp_path: Path) -> None:
    head = EvaluationHead.model_validate_json((tmp_path / "out" / "run.json").read_text())
    with (
        EvaluationFolder(tmp_path / "out", head),
        pytest.raises(UsageError, match="another run is using"),
    ):
        run(tmp_path)


@pytest.mark.usefixtures("copied")
def test_a_folder_of_another_evaluation_is_refused_with_the_difference(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"limit is None there and 2 here.*--out"):
        run(tmp_path, limit=2)
    with pytest.raises(UsageError, match="source is"):
        run(tmp_path, rows=samples()[:3])


@pytest.mark.usefixtures("copied")
def test_a_folder_of_another_version_is_refused_in_one_line(tmp_path: Path) -> None:
    head = tmp_path / "out" / "run.json"
    fields = json.loads(head.read_text())
    head.write_text(json.dumps({**fields, "record_version": "99", "new_field": 1}))
    for call, match in (
        (lambda: run(tmp_path), "record_version is '99' there and '2' here"),
        (lambda: view_evaluation(tmp_path / "out"), "not an artefact of this version .record_vers"),
    ):
        with pytest.raises(UsageError, match=match) as caught:
            call()
        assert "\n" not in str(caught.value)
    head.write_text(json.dumps({**fields, "steelyard": "0.0.1"}))
    with pytest.raises(UsageError, match=r"steelyard is '0\.0\.1' there"):
        run(tmp_path)


@pytest.mark.usefixtures("copied")
def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    record = tmp_path / "out" / "record.jsonl"
    lines = record.read_text().splitlines(keepends=True)
    record.write_text("".join([lines[0], "{]\n", *lines[1:]]))
    with pytest.raises(UsageError, match=r"record\.jsonl:2: "):
        view_evaluation(tmp_path / "out")


def test_faulty_samples_are_reported_by_row_and_the_rest_is_judged(tmp_path: Path) -> None:
    rows: list[Any] = [
        {"task_id": "double", "completion": completion("double")},
        {"task_id": "nowhere", "completion": "x"},
        {"task_id": "double"},
        {"completion": "x"},
        '{"task_id": "double", "completion": ',
        {"task_id": "double", "completion": 3},
        {"task_id": "double", "completion": "x", "solution": "y"},
        {"task_id": "double", "completion": "x", "sample": 0},
        {"task_id": "double", "completion": "x", "language": "klingon"},
        {"task_id": "double", "completion": "x", "seed": -1},
        {"task_id": "double", "completion": completion("double"), "sample": 2},
        {"task_id": "double", "completion": ["x", "y"], "sample": 1},
        {"task_id": "double", "completion": []},
    ]
    report = run(tmp_path, rows=rows, allow_missing=True)
    assert (report.samples, report.passes) == (2, 2)
    assert report.fault_count == 11
    again = view_evaluation(tmp_path / "out", k=(1, 2), plots=False)
    assert again.model_dump(exclude={"isolation"}) == report.model_dump(exclude={"isolation"})
    found = "\n".join(report.faults)
    for line, reason in (
        (2, "has no task 'nowhere'"),
        (3, "it has none"),
        (4, "task_id is missing"),
        (5, ""),
        (6, "completion: input should be a valid string, got 3"),
        (7, "completion and solution"),
        (8, "comes a second time"),
        (9, "language: unknown language, got 'klingon'"),
        (10, "seed: input should be greater than or equal to 0, got -1"),
        (12, "sample 2 of seed 0 of double comes a second time"),
        (13, "completion: list should have at least 1 item"),
    ):
        assert any(
            fault.startswith(f"{tmp_path}/samples.jsonl:{line}: ") and reason in fault
            for fault in report.faults
        ), (line, found)
    assert any("3 of 4 tasks have no sample" in note for note in report.notes)


def test_a_sample_in_another_language_than_its_task_is_left_out(tmp_path: Path) -> None:
    rows = [*samples(), {"task_id": "double", "solution": "int f;", "language": "cpp"}]
    report = run(tmp_path, rows)
    assert (report.samples, report.unjudged) == (8, 0)
    assert "double is for python, not for cpp" in report.faults[-1]
    with pytest.raises(UsageError, match="is for python, not for cpp"):
        run(tmp_path, language="cpp", out=tmp_path / "cpp")


def test_half_a_benchmark_is_refused_or_stands_in_every_headline(tmp_path: Path) -> None:
    rows = [{"task_id": name, "solution": right(name)} for name in ("double", "square")]
    rows.append({"task_id": "triple"})
    with pytest.raises(
        UsageError,
        match=r"2 of 4 tasks have no sample: triple, negate \(the first "
        r"row left out is .*samples\.jsonl:3: .*\).*--allow-missing",
    ):
        run(tmp_path, rows=rows)
    report = run(tmp_path, rows=rows, allow_missing=True)
    assert (report.tasks, report.selected, report.metric("pass@k", 1).value) == (2, 4, 1.0)
    assert report.metric("pass@k", 1).basis == "2 of 4 tasks"
    assert "2 of 4 tasks" in str(report)
    out = tmp_path / "out"
    page = (out / "report.html").read_text()
    assert "2 of 4 tasks" in page[: page.index("<h2>")]
    assert "2 of 4 tasks" in (out / "report.md").read_text().splitlines()[0]
    assert "2 of 4 tasks" in (out / "metrics.csv").read_text().splitlines()[1]


def test_a_selection_counts_as_the_whole(tmp_path: Path) -> None:
    rows = [{"task_id": name, "solution": right(name)} for name in ("double", "triple")]
    for name, options in (("limit", {"limit": 2}), ("filter", {"filter": "double,triple"})):
        report = run(tmp_path, rows=rows, out=tmp_path / name, **options)
        assert (report.tasks, report.selected, report.metric("pass@k", 1).basis) == (2, 2, "")
    parts = [tmp_path / "one", tmp_path / "two"]
    for number, folder in enumerate(parts, 1):
        part = run(tmp_path, rows=rows, out=folder, shard=f"{number}/2", allow_missing=True)
        assert (part.tasks, part.selected) == (1, 2)
    merged = merge_evaluations(parts, tmp_path / "merged", k=(1,), plots=False)
    assert merged.metric("pass@k", 1).basis == "2 of 4 tasks"


def test_a_metric_on_fewer_tasks_says_so(tmp_path: Path) -> None:
    rows = [
        {"task_id": name, "solution": [right(name)] * (1 + (name == "double"))} for name in TASKS
    ]
    report = run(tmp_path, rows=rows)
    assert (report.metric("pass@k", 1).basis, report.metric("pass@k", 2).basis) == (
        "",
        "1 of 4 tasks",
    )


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", ""),
        (b"\n\n", ""),
        (b"[]", r" \(.*jsonl:1: not an object.*\)"),
        ("{}".encode("utf-16"), r" \(.*samples.jsonl: the file is UTF-16.*\)"),
    ],
)
def test_a_file_without_samples_is_one_clear_line(tmp_path: Path, data: bytes, why: str) -> None:
    file = tmp_path / "samples.jsonl"
    file.write_bytes(data)
    with pytest.raises(UsageError, match=rf"holds no sample{why}; write a line such as"):
        evaluate(write_benchmark(tmp_path), samples=file, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_task_that_cannot_be_judged_is_left_out_and_counted(tmp_path: Path) -> None:
    broken = task("double", id="empty", tests=[])
    benchmark = write_lines(tmp_path / "tasks.jsonl", [task("double"), broken])
    rows = [{"task_id": name, "completion": completion("double")} for name in ("double", "empty")]
    file = write_lines(tmp_path / "samples.jsonl", rows)
    report = evaluate(benchmark, samples=file, out=tmp_path / "out", jobs=1, plots=False)
    assert (report.tasks, report.samples) == (1, 1)
    assert report.fault_count >= 1
    assert any("empty" in fault for fault in report.faults)


def test_a_task_whose_tests_cannot_run_is_left_out_and_no_fault_of_the_machine(
    tmp_path: Path,
) -> None:
    tests = [{"code": "import nothing_there"}]
    broken = task("double", id="broken", entry="asserts:f", tests=tests)
    rows = [
        {"task_id": "double", "completion": completion("double")},
        {"task_id": "broken", "completion": "def f(): pass"},
        {"task_id": "broken", "completion": "def f(: pass"},
    ]
    benchmark = write_lines(tmp_path / "tasks.jsonl", [task("double"), broken])
    file = write_lines(tmp_path / "samples.jsonl", rows)
    for _ in range(2):
        report = evaluate(benchmark, samples=file, out=tmp_path / "out", jobs=1, plots=False)
        assert (report.tasks, report.samples, report.unjudged) == (1, 1, 0)
        assert (report.tasks_left_out, report.complete) == (1, True)
        assert any("broken: case" in fault and "nothing_there" in fault for fault in report.faults)


def test_tasks_are_selected_by_name_date_number_and_shard(tmp_path: Path) -> None:
    from datetime import date

    def chosen(**options: Any) -> set[str]:
        name = "-".join(f"{key}{value}" for key, value in options.items()).replace("/", "_")
        rows = [{"task_id": each, "solution": right(each)} for each in TASKS]
        report = run(tmp_path, rows=rows, out=tmp_path / name, **options)
        return {score.task for score in report.scores}

    out = tmp_path / "limit2"
    with pytest.raises(UsageError, match="no task of tasks is to be evaluated"):
        run(tmp_path, out=out, filter="nosuch")
    assert [each.name for each in out.iterdir()] == [".lock"]  # so the corrected call may begin
    assert chosen(limit=2) == {"double", "triple"}
    assert chosen(filter="d*,negate") == {"double", "negate"}
    assert chosen(after=date(2026, 2, 1), before=date(2026, 4, 1)) == {"triple", "square"}
    assert chosen(shard="2/3") == {"triple"}


def test_shards_merge_into_the_whole(copied: EvaluationReport, tmp_path: Path) -> None:
    parts = [tmp_path / "one", tmp_path / "two"]
    for number, folder in enumerate(parts, 1):
        run(tmp_path, out=folder, shard=f"{number}/2")
    merged = merge_evaluations(parts, tmp_path / "merged", k=(1, 2), plots=False)
    by_name = {score.task: score for score in merged.scores}
    for score in copied.scores:
        same = {"fastest_ms"}
        assert by_name[score.task].model_dump(exclude=same) == score.model_dump(exclude=same)
    assert {m.label: m.value for m in merged.metrics} == {m.label: m.value for m in copied.metrics}
    assert (tmp_path / "merged/results/double/seed_0/sample_0.py").exists()
    again = merge_evaluations(parts, tmp_path / "merged", k=(1, 2), plots=False)
    assert again == merged
    with pytest.raises(UsageError, match="shard 2/2 is missing"):
        merge_evaluations(parts[:1], tmp_path / "half")
    with pytest.raises(UsageError, match="is not a shard"):
        merge_evaluations([tmp_path / "out"], tmp_path / "none")


@pytest.mark.usefixtures("copied")
def test_a_diff_pairs_tasks_and_names_those_won_and_lost(tmp_path: Path) -> None:
    rows = [{"task_id": name, "solution": right(name)} for name in TASKS if name != "triple"]
    rows.append({"task_id": "triple", "completion": "    return 0\n"})
    run(tmp_path, rows=rows, out=tmp_path / "other", limits=Limits(cpu_ms=4_000))
    diff = diff_evaluations(tmp_path / "out", tmp_path / "other", k=(1,))
    first = diff.differences[0]
    assert (first.label, first.first, first.second) == ("pass@1", 0.625, 0.75)
    assert (first.won, first.lost, first.tied) == (2, 1, 1)
    assert (set(diff.won), diff.lost) == ({"square", "negate"}, ("triple",))
    assert any("with other limits in the second run" in note for note in diff.notes)
    assert first.p_value == 1.0
    assert first.smallest is not None
    same = diff_evaluations(tmp_path / "other", tmp_path / "other", k=(1,)).differences[0]
    assert (same.difference, same.p_value, same.shown) == (0, 1.0, False)


def test_iterations_and_costs_are_counted_from_the_record(tmp_path: Path) -> None:
    """Two runs became efficient, after 1 and 3 iterations; two others cost as well."""
    head = EvaluationHead(steelyard="0", benchmark="b", origin="solve", source="m")
    runs: tuple[tuple[str, dict[str, Any]], ...] = (
        ("a", {"verdict": Verdict.AC, "efficient": True, "iterations": 1}),
        ("b", {"verdict": Verdict.AC, "efficient": True, "iterations": 3}),
        ("b", {"verdict": Verdict.AC, "efficient": False, "iterations": 2}),
        ("c", {"verdict": Verdict.WA, "efficient": False, "iterations": 5}),
    )
    with EvaluationFolder(tmp_path / "out", head) as folder:
        for name in ("a", "b", "c"):
            folder.append(
                EvaluatedTask(
                    task=name,
                    digest="0" * 64,
                    suite="0" * 64,
                    cases=1,
                    time_limit_ms=1_000,
                    memory_limit_mib=64,
                )
            )
        for number, (name, own) in enumerate(runs):
            key = f"{number}" * 64
            folder.append(EvaluatedSample(key=key, task=name, sample=number, cost_usd=0.25, **own))
    report = view_evaluation(tmp_path / "out", k=(1,), plots=False)
    iterations, cost = report.metric("iterations"), report.metric("cost_per_solved")
    assert (iterations.value, iterations.basis) == (2.0, "2 of 4 runs became efficient")
    assert (cost.value, cost.tasks) == (0.5, 2)


def test_slack_lets_right_but_slow_programs_pass_without_being_efficient(tmp_path: Path) -> None:
    benchmark = write_benchmark(tmp_path)
    slow = "    total = 0\n    for i in range(10_000_000): total += i\n    return 2 * n\n"
    file = write_lines(tmp_path / "s.jsonl", [{"task_id": "double", "completion": slow}])
    report = evaluate(
        benchmark,
        samples=file,
        out=tmp_path / "out",
        slack=100,
        filter="double",
        jobs=1,
        plots=False,
        limits=Limits(cpu_ms=50),
    )
    assert report.metric("pass@k", 1).value == 1.0
    assert report.metric("eff@k_runtime", 1).value == 0.0
    assert report.metric("eff@k_memory", 1).value == 1.0


def test_strength_and_references_are_measured_where_there_is_a_solution(tmp_path: Path) -> None:
    cases = [{"args": [n], "expected": 2 * n} for n in (0, 3)]
    busy = "    t = 0\n    for i in range({}): t += i\n    return 2 * n\n"
    solutions = [
        {"source": f"def double(n):\n{busy.format(count)}"} for count in (1_000_000, 1_300_000)
    ]
    benchmark = write_lines(
        tmp_path / "t.jsonl", [task("double", solutions=solutions, tests=cases)]
    )
    rows = [{"task_id": "double", "completion": text} for text in (busy.format(10), "    pass\n")]
    file = write_lines(tmp_path / "s.jsonl", rows)
    report = evaluate(
        benchmark,
        samples=file,
        out=tmp_path / "out",
        efficiency=True,
        mutants=3,
        jobs=1,
        plots=False,
        limits=Limits(cpu_ms=10_000),
    )
    score = report.scores[0]
    assert score.mutants
    assert score.mutants_killed is not None
    assert score.enamel is not None
    assert score.enamel[0] > 1  # faster than the fastest reference
    assert score.enamel[1] == 0
    assert score.beyond == 0.5  # 1 for the fast sample, 0 for the wrong one
    assert report.samples == 2  # references are no samples
    assert report.metric("enamel_eff@k", 1).value == pytest.approx(score.enamel[0] / 2)
