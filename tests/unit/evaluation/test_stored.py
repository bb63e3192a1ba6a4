"""What pages read of an evaluation's folder: its report, one task, a program inside of it."""

import json
from pathlib import Path

import pytest

from steelyard.errors import UsageError
from steelyard.evaluation import (
    EvaluationFolder,
    merge_evaluations,
    read_record,
    stored_program,
    stored_report,
    stored_task,
    view_evaluation,
)
from steelyard.schemas import (
    EvaluatedRun,
    EvaluatedSample,
    EvaluatedTask,
    EvaluationHead,
    Verdict,
)

DIGEST = "0" * 64
NAME = 'ünicode "task"/1'


HEAD = EvaluationHead(steelyard="0", benchmark="b", origin="samples", source=DIGEST, shard="1/1")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "evaluation"
    with EvaluationFolder(path, HEAD) as target:
        for name in (NAME, "other"):
            target.append(
                EvaluatedTask(
                    task=name,
                    digest=DIGEST,
                    suite=DIGEST,
                    cases=1,
                    time_limit_ms=1,
                    memory_limit_mib=1,
                )
            )
        for number, verdict in ((1, Verdict.WA), (0, Verdict.AC), (1, Verdict.AC)):
            sample = EvaluatedSample(key=DIGEST, task=NAME, sample=number, verdict=verdict)
            file = target.keep_program(sample, f"program {number}", "py")
            target.append(sample.model_copy(update={"program": file}))
    return path


def test_the_report_is_counted_until_there_is_one(folder: Path) -> None:
    counted = stored_report(folder)
    assert (counted.samples, counted.passes, counted.complete) == (2, 2, False)
    written = view_evaluation(folder, plots=False)
    assert stored_report(folder) == written
    (folder / "report.json").write_text("{}")
    assert stored_report(folder).samples == 2


def test_what_a_run_left_out_is_counted_from_the_record_and_merged(
    folder: Path, tmp_path: Path
) -> None:
    ended = EvaluatedRun(complete=True, notes=("n",), faults=("rows:1: f",), fault_count=7)
    for seconds in (1.0, 2.0):  # the second run records nothing new
        with EvaluationFolder(folder, HEAD) as target:
            target.end(ended.model_copy(update={"seconds": seconds}))
    assert [line for line in read_record(folder) if isinstance(line, EvaluatedRun)] == [
        ended.model_copy(update={"seconds": 1.0})
    ]
    for report in (
        view_evaluation(folder, plots=False),
        merge_evaluations([folder], tmp_path / "whole", plots=False),
    ):
        assert (report.complete, report.faults, report.fault_count) == (True, ("rows:1: f",), 7)
        assert (report.notes[0], report.seconds) == ("n", 1.0)


def test_a_shard_that_was_killed_leaves_the_whole_incomplete(folder: Path, tmp_path: Path) -> None:
    assert not merge_evaluations([folder], tmp_path / "whole", plots=False).complete


@pytest.mark.parametrize(
    "program", ["../secret", "record.jsonl", "results/../run.json", "results/link", "/etc/passwd"]
)
def test_a_shard_cannot_name_a_file_that_is_not_a_program(
    folder: Path, tmp_path: Path, program: str
) -> None:
    (tmp_path / "secret").write_text("secret")
    (folder / "results" / "link").symlink_to(tmp_path / "secret")
    with EvaluationFolder(folder, HEAD) as target:
        target.append(EvaluatedSample(key=DIGEST, task="other", program=program))
    with pytest.raises(UsageError, match="not among its programs"):
        merge_evaluations([folder], tmp_path / "whole", plots=False)
    assert not (tmp_path / "whole" / "results" / "link").exists()


def test_a_category_may_have_any_name(folder: Path) -> None:
    levels = dict.fromkeys(("kind", '"kind"'), 1.0)
    sample = EvaluatedSample(key=DIGEST, task="other", verdict=Verdict.AC, levels=levels)
    with EvaluationFolder(folder, HEAD) as target:
        target.append(sample)
    assert list(read_record(folder))[-1] == sample


def test_a_task_has_its_samples_in_order_and_the_last_line_counts(folder: Path) -> None:
    found = stored_task(folder, NAME)
    assert found is not None
    assert [(each.sample, each.verdict) for each in found.samples] == [(0, "AC"), (1, "AC")]
    assert stored_program(folder, found.samples[1], most_bytes=100) == "program 1"
    assert stored_program(folder, found.samples[1], most_bytes=4) == "prog"
    other = stored_task(folder, "other")
    assert other is not None
    assert other.samples == []
    assert stored_task(folder, "none") is None


@pytest.mark.parametrize("program", ["../secret", "/etc/passwd", "results/link", "results", "\0"])
def test_no_file_outside_of_the_folder_is_read(folder: Path, program: str) -> None:
    (folder.parent / "secret").write_text("secret")
    (folder / "results" / "link").symlink_to(folder.parent / "secret")
    sample = EvaluatedSample(key=DIGEST, task=NAME, program=program)
    assert stored_program(folder, sample, most_bytes=100) == ""


def test_a_damaged_record_is_one_line(folder: Path) -> None:
    with (folder / "record.jsonl").open("a") as record:
        record.write(json.dumps({"kind": "sample", "task": "other"}) + "\n")
    with pytest.raises(UsageError, match=r"record\.jsonl:6: .*; remove the line"):
        stored_task(folder, "other")
