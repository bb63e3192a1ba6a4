"""What pages read of an evaluation's folder: its report, one task, a program inside of it."""

import json
from pathlib import Path

import pytest

from steelyard.errors import UsageError
from steelyard.evaluation import (
    EvaluationFolder,
    stored_program,
    stored_report,
    stored_task,
    view_evaluation,
)
from steelyard.schemas import EvaluatedSample, EvaluatedTask, EvaluationHead, Verdict

DIGEST = "0" * 64
NAME = 'ünicode "task"/1'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "evaluation"
    head = EvaluationHead(steelyard="0", benchmark="b", origin="samples", source=DIGEST)
    with EvaluationFolder(path, head) as target:
        for name in (NAME, "other"):
            target.append(EvaluatedTask(
                task=name, digest=DIGEST, suite=DIGEST, cases=1, time_limit_ms=1,
                memory_limit_mib=1,
            ))  # fmt: skip
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


def test_a_task_has_its_samples_in_order_and_the_last_line_counts(folder: Path) -> None:
    found = stored_task(folder, NAME)
    assert found is not None
    assert [(each.sample, each.verdict) for each in found.samples] == [(0, "AC"), (1, "AC")]
    assert stored_program(folder, found.samples[1], most_bytes=100) == "program 1"
    assert stored_program(folder, found.samples[1], most_bytes=4) == "prog"
    other = stored_task(folder, "other")
    assert other is not None
    assert other.samples == ()
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
    with pytest.raises(UsageError, match="cannot be read"):
        stored_task(folder, "other")
