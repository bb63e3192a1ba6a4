"""The folder of results holds those of the last run, and nothing of an earlier one."""

from pathlib import Path

import pytest

from steelyard.authoring.pipeline._results_folder import (
    journal_in,
    require_folder,
    results_of,
    write_results,
)
from steelyard.errors import UsageError
from steelyard.schemas import AuthorReport


def test_what_an_earlier_run_has_written_goes(tmp_path: Path) -> None:
    for name in ("tests", "solutions", ".steelyard-results-killed", "run"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "old").touch()
    (tmp_path / "suite.json").write_text("{}")
    (tmp_path / "notes.txt").write_text("mine")
    report = AuthorReport(task_id="x", status="failed", stop="no-specification", reason="why")
    write_results(report, tmp_path)
    left = sorted(each.name for each in tmp_path.iterdir())
    assert left == ["notes.txt", "report.html", "report.md", "run"]


def test_files_of_others_are_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    with pytest.raises(UsageError, match="holds tests, which no run of author has written"):
        require_folder(tmp_path)
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").touch()
    assert require_folder(tmp_path) == tmp_path


def test_results_stay_next_to_their_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = tmp_path / "moved" / "run"
    run.mkdir(parents=True)
    (run / "run.json").touch()
    for folder, cwd in ((tmp_path / "moved", tmp_path), (run, tmp_path), (Path(), run)):
        monkeypatch.chdir(cwd)
        assert results_of(journal_in(folder)).resolve() == tmp_path / "moved"
