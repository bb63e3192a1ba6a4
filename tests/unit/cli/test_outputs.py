"""A file that a command writes is whole, or as it was before."""

import errno
import os
from pathlib import Path

import pytest

from steelyard.cli._outputs import private_file, write_output
from steelyard.errors import UsageError


def test_a_file_is_replaced_and_keeps_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    write_output(file, "é\n")
    assert file.read_bytes() == "é\n".encode()
    (tmp_path / "other").touch()
    assert file.stat().st_mode == (tmp_path / "other").stat().st_mode
    file.chmod(0o640)
    link = tmp_path / "link"
    link.symlink_to(file)
    write_output(link, "new")
    assert link.is_symlink()
    assert (file.read_text(), file.stat().st_mode & 0o777) == ("new", 0o640)


def test_a_full_disk_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "suite.py"
    write_output(file, "before")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(UsageError, match=r"suite\.py cannot be written: No space left"):
        write_output(file, "after")
    assert file.read_text() == "before"
    assert [*tmp_path.iterdir()] == [file]


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_output(pipe, "text")
    assert os.read(reader, 100) == b"text"
    os.close(reader)


def test_where_nothing_can_be_replaced_a_file_is_written_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "suite.py"
    file.write_text("before")

    def refused(*_: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(os, "replace", refused)
    write_output(file, "after")
    assert file.read_text() == "after"
    with pytest.raises(UsageError, match="Permission denied"):
        write_output(tmp_path / "new", "text")
    assert [*tmp_path.iterdir()] == [file]


def test_a_name_may_be_as_long_as_names_are(tmp_path: Path) -> None:
    write_output(tmp_path / ("n" * 255), "text")


def test_a_new_file_of_records_is_its_owners(tmp_path: Path) -> None:
    with private_file(tmp_path / "records", "ascii") as out:
        out.write("1")
    assert (tmp_path / "records").stat().st_mode & 0o777 == 0o600
    with (
        pytest.raises(UsageError, match="Not a regular file"),
        private_file(Path("/dev/null"), "ascii"),
    ):
        pass
