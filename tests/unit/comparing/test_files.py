"""Which files come, change or go, in the project and elsewhere."""

import os
from pathlib import Path

import pytest

from steelyard.comparing.decision._behaviour import side_effects_of
from steelyard.comparing.effects.incell.files import Files


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "w/project").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "w/project/known.txt").write_text("known", encoding="utf-8")
    return tmp_path / "w/project"


def files_of(project: Path) -> Files:
    root = project.parent.parent
    return Files(str(project), [str(root / "w"), str(root / "elsewhere")])


def test_nothing_is_no_change(project: Path) -> None:
    assert files_of(project).changes() == {}


def test_files_of_the_project_go_by_their_path_in_it(project: Path) -> None:
    files = files_of(project)
    (project / "known.txt").write_text("else", encoding="utf-8")
    (project / "made").mkdir()
    (project / "made/link").symlink_to("../known.txt")
    assert files.changes() == {
        "file known.txt": ("as it was", "else"),
        "file made/": ("not there", "a folder"),
        "file made/link": ("not there", "a link to ../known.txt"),
    }


def test_files_elsewhere_go_by_their_whole_path(project: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere/there").touch()
    files = files_of(project)
    (tmp_path / "elsewhere/there").unlink()
    os.mkfifo(tmp_path / "elsewhere/pipe")
    (tmp_path / "w/beside").write_text("x", encoding="utf-8")
    assert files.changes() == {
        f"file {tmp_path}/elsewhere/there": ("as it was", "gone"),
        f"file {tmp_path}/elsewhere/pipe": ("not there", "a pipe"),
        f"file {tmp_path}/w/beside": ("not there", "x"),
    }


def test_what_tools_keep_is_no_change_wherever_it_lies(project: Path, tmp_path: Path) -> None:
    files = files_of(project)
    kept = (
        "__pycache__/x.pyc",
        ".hypothesis/constants/1f57",
        ".hypothesis/examples/ab/cd",
        ".pytest_cache/v/x",
        ".coverage",
        ".coverage.host.17.x",
        ".lock",
    )
    for place in (project, project / "pkg", project.parent, tmp_path / "elsewhere/tmpa1b2c3d4"):
        for name in kept:
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).touch()
    assert files.changes() == {
        "file pkg/": ("not there", "a folder"),
        f"file {tmp_path}/elsewhere/tmp********/": ("not there", "a folder"),
    }
    for name in ("hypothesis/x", ".coverages", ".coverage_of_mine/x", ".hypothesis.txt"):
        (project / "pkg" / name).parent.mkdir(exist_ok=True)
        (project / "pkg" / name).touch()
    shown = {name.removeprefix("file pkg/") for name in files.changes()}
    assert {"hypothesis/x", ".coverages", ".coverage_of_mine/x", ".hypothesis.txt"} <= shown


def test_names_that_were_made_up_are_alike(project: Path, tmp_path: Path) -> None:
    told = []
    for names in (("tmpa1b2c3d4", "tmpzzzzzzzz"), ("tmp00000000", "tmp_a_b_c_d")):
        files = files_of(project)
        for name, text in zip(names, ("one", "two"), strict=True):
            (tmp_path / "elsewhere" / name).write_text(text, encoding="utf-8")
        told.append(files.changes())
    name = f"file {tmp_path}/elsewhere/tmp********"
    assert told == [{name: ("not there", "one\ntwo")}] * 2


def test_lines_that_a_traceback_names_are_left_out(project: Path) -> None:
    files, head = files_of(project), "Traceback (most recent call last):"
    text = "{}\n  File 'goods.py', line {}, in total\n    {}\nValueError: no\n"
    (project / "one.log").write_text(text.format(head, 3, "raise ValueError"), encoding="utf-8")
    (project / "two.log").write_text(text.format(head, 14, "fail()"), encoding="utf-8")
    assert len(set(files.changes().values())) == 1
    (project / "two.log").write_text(text.format("x", 14, "fail()"), encoding="utf-8")
    assert len(set(files.changes().values())) == 2


def test_a_name_with_a_number_that_is_never_the_same_is_no_effect() -> None:
    original = {"file /tmp/log-17.txt": ("not there", "x"), "file /tmp/a": ("not there", "1")}
    uncertain = {"file /tmp/log-17.txt"}
    alike = {"file /tmp/log-4711.txt": ("not there", "x"), "file /tmp/a": ("not there", "1")}
    assert side_effects_of(original, alike, uncertain) == ()
    for name in ("file /tmp/log.txt", "file /tmp/other-18.txt", "file /dev/shm/log-18.txt"):
        other = alike | {name: ("not there", "x")}
        assert [each.path for each in side_effects_of(original, other, uncertain)] == [name]
    assert side_effects_of(original, {}, uncertain) != ()
