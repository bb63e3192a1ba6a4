"""The figures of all runs that wrote suites."""

import errno
import os
from pathlib import Path

import pytest

from steelyard.authoring.pytests import history_file, read_figures, statistics_of
from steelyard.authoring.pytests._history import keep_figures
from steelyard.errors import UsageError
from steelyard.schemas import SuiteFigures


def run(name: str, **fields: object) -> SuiteFigures:
    usual = {
        "run": name,
        "module": "m.py",
        "at": "2026-01-01T00:00:00+00:00",
        "stop": "perfect",
        "rounds": 1,
        "replies": 1,
        "read": 1,
    }
    return SuiteFigures.model_validate(usual | fields)


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def test_runs_are_kept_and_a_resumed_one_counts_once() -> None:
    assert read_figures() == ((), 0)
    first, again = run("a", stop="budget"), run("a", rounds=3, replies=3, read=3)
    assert keep_figures(first) == ""
    with history_file().open("a") as stream:
        stream.write('{"run": 1}\nnot json\n')
    for each in (run("b"), again):
        assert keep_figures(each) == ""
    assert read_figures() == ((run("b"), again), 2)
    assert len(history_file().read_text().splitlines()) == 4


def test_a_full_disk_changes_nothing_and_half_a_line_loses_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert keep_figures(run("a")) == ""
    with history_file().open("a") as stream:
        stream.write('{"run": "b", "mod')
    assert keep_figures(run("c")) == ""
    assert read_figures() == ((run("a"), run("c")), 1)
    before = history_file().read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    assert "No space left" in keep_figures(run("d"))
    assert history_file().read_bytes() == before
    assert {each.suffix for each in history_file().parent.iterdir()} == {".jsonl", ".lock"}


def test_the_figures_follow_from_the_runs() -> None:
    found = statistics_of(
        (
            run("a", perfect_after=0),
            run(
                "b",
                perfect_after=2,
                rounds=2,
                replies=2,
                read=1,
                coverage_first=0.5,
                coverage_best=1.0,
            ),
            run(
                "c",
                stop="rounds",
                rounds=5,
                replies=5,
                read=5,
                coverage_first=0.7,
                coverage_best=0.8,
            ),
            run("d", stop="budget", rounds=0, replies=0, read=0),
        )
    )
    assert (found.runs, found.counted, found.by_reviews) == (4, 3, {1: 1, 2: 1, 5: 1})
    values = {each.name: each.value for each in found.figures}
    assert values == {
        "perfect as first written": pytest.approx(100 / 3),
        "perfect after at most 2 reviews": pytest.approx(200 / 3),
        "reviews that could be read": pytest.approx(700 / 8),
        "mean number of reviews": pytest.approx(8 / 3),
        "coverage gained by changes": pytest.approx(30),
    }
    assert [each.met for each in found.figures] == [True, False, False, False, True]


def test_no_run_has_no_figure() -> None:
    found = statistics_of((), 0)
    assert {each.value for each in found.figures} == {None}
    assert {each.met for each in found.figures} == {None}


def test_a_folder_that_cannot_be_written_is_a_note(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    assert "figures are not kept" in keep_figures(run("a"))
    history_file().parent.parent.unlink()
    history_file().mkdir(parents=True)
    with pytest.raises(UsageError, match="cannot be read"):
        read_figures()
