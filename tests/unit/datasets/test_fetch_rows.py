"""Real rows come into a folder only as the table names them."""

import hashlib
import subprocess
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.scripts import script

ROW = b'{"task_id": "a/0"}\n'
FILES = {"data/rows.jsonl": ROW, "tasks/1/question.txt": b"?", "tasks/2/question.txt": b"!"}


@pytest.fixture(scope="module")
def rows() -> ModuleType:
    return script("tests/rows/fetch_rows.py")


@pytest.fixture
def mirror(tmp_path: Path) -> Path:
    """Return a folder with a clone of `someone/rows`."""
    work, folder = tmp_path / "work", tmp_path / "mirror"
    for path, data in FILES.items():
        (work / path).parent.mkdir(parents=True, exist_ok=True)
        (work / path).write_bytes(data)
    folder.mkdir()
    _git(work, "init", "--quiet")
    _git(work, "add", ".")
    _git(work, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "rows")
    _git(work, "clone", "--quiet", "--bare", ".", str(folder / "someone+rows"))
    return folder


def _git(folder: Path, *arguments: str) -> str:
    command = ("git", "-C", str(folder), *arguments)
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def _source(rows: ModuleType, mirror: Path, path: str, sha256: str) -> Any:
    commit = _git(mirror / "someone+rows", "rev-parse", "HEAD")
    return rows.Source("mbpp", "someone/rows", commit, path, sha256, "MIT")


def test_a_file_is_fetched_once(rows: ModuleType, mirror: Path, tmp_path: Path) -> None:
    digest = hashlib.sha256(ROW).hexdigest()
    source = _source(rows, mirror, "data/rows.jsonl", digest)
    assert rows.fetch(source, tmp_path / "cache", mirror)
    assert (tmp_path / "cache/mbpp/someone+rows/rows.jsonl").read_bytes() == ROW
    assert not rows.fetch(source, tmp_path / "cache", None)


def test_a_folder_is_one_source(rows: ModuleType, mirror: Path, tmp_path: Path) -> None:
    digest = rows.digest_of({"1/question.txt": b"?", "2/question.txt": b"!"})
    source = _source(rows, mirror, "tasks", digest)
    assert rows.fetch(source, tmp_path / "cache", mirror)
    assert (source.copy_in(tmp_path / "cache") / "2/question.txt").read_bytes() == b"!"
    assert not rows.fetch(source, tmp_path / "cache", mirror)


@pytest.mark.parametrize(
    ("path", "message"),
    [("data/rows.jsonl", "its SHA-256 is"), ("data/others.jsonl", "has no data/others.jsonl")],
)
def test_other_data_is_not_stored(
    rows: ModuleType, mirror: Path, tmp_path: Path, path: str, message: str
) -> None:
    source = _source(rows, mirror, path, "0" * 64)
    with pytest.raises(rows.MissingError, match=message):
        rows.fetch(source, tmp_path / "cache", mirror)
    assert not (tmp_path / "cache").exists()


def test_the_table_names_each_source_exactly(rows: ModuleType) -> None:
    sources = rows.read_sources()
    copies = [source.copy_in(Path()) for source in sources]
    assert len(set(copies)) == len(copies)
    for source in sources:
        assert len(bytes.fromhex(source.sha256)) == 32
        if "/" in source.origin:
            assert len(bytes.fromhex(source.at)) == 20
