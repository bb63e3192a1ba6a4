"""A backup holds all that a service keeps, and comes back whole or not at all, in both engines."""

import hashlib
import json
import os
import re
import sqlite3
import stat
import threading
import time
import zipfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text

from steelyard.errors import DatabaseError, UsageError
from steelyard.schemas import StoredToken
from steelyard.service.backup import restore_backup, write_backup
from steelyard.service.jobs import JobQueue, job_place
from steelyard.settings import Settings
from steelyard.storage import export_lines, list_tokens, open_database, store_token
from tests.database_server import DatabaseServer
from tests.http_server import running_service
from tests.stored_problems import LARGE, SPEC, a_case, a_solution, a_suite

pytestmark = pytest.mark.xdist_group("database")
TOKEN = StoredToken(
    id="abcdef012345",
    name="trainer",
    secret_sha256="0" * 64,
    scopes=("judge",),
    created_utc=datetime.now(UTC),
)


@dataclass(frozen=True)
class Caller:
    """The token of a request."""

    owner: str = "abcdef012345"
    name: str = "ann"


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of runs of a server's jobs are in the user's data folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def settings(database_url: str) -> Settings:
    return Settings(database_url=database_url)


def fill(settings: Settings, jobs: int = 2) -> None:
    with open_database(settings.database_url) as database, database.change() as change:
        change.store_problem("sum", SPEC, a_suite(cases=(a_case(1), LARGE)), [a_solution()])
        store_token(change, TOKEN)
    with JobQueue(settings) as queue:
        for number in range(jobs):
            job = queue.submit("judge", {"program": f"print({number}) # é\n"}, Caller())
            artefact = queue.place.folder / "runs" / job.id / "turn-1" / "plan.json"
            artefact.parent.mkdir(parents=True)
            artefact.write_text(f"plan {number}")


def contents(settings: Settings) -> tuple[list[str], list[StoredToken], list[str], dict[str, str]]:
    """All that a service keeps, in a form that two databases share."""
    with open_database(settings.database_url) as database, database.read() as reader:
        records, tokens = list(export_lines(reader)), list(list_tokens(reader))
    with JobQueue(settings) as queue:
        runs = queue.place.folder / "runs"
        jobs = sorted(repr(queue.find(each.name)) for each in runs.iterdir())
        files = {str(f.relative_to(runs)): f.read_text() for f in runs.rglob("*") if f.is_file()}
    return records, tokens, jobs, files


@pytest.fixture
def other(request: pytest.FixtureRequest, tmp_path: Path, settings: Settings) -> Settings:
    """An empty place in the same engine."""
    if settings.database_url.startswith("sqlite"):
        return Settings(database_url=str(tmp_path / "other" / "copy.sqlite3"))
    server: DatabaseServer = request.getfixturevalue("database_server")
    return Settings(database_url=server.new())


def test_all_comes_back(
    settings: Settings, other: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(settings)
    before = contents(settings)
    assert len(before[2]) == len(before[3]) == 2
    file = tmp_path / "all.zip"
    manifest = write_backup(settings, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "another machine"))
    restored, aside = restore_backup(other, file)
    assert restored.members == manifest.members
    assert aside is None
    assert contents(other) == before


@pytest.mark.exhaustive
def test_from_a_file_to_a_server_and_back(database_server: DatabaseServer, tmp_path: Path) -> None:
    first = Settings(database_url=str(tmp_path / "first.sqlite3"))
    fill(first)
    before = contents(first)
    second = Settings(database_url=database_server.new())
    third = Settings(database_url=str(tmp_path / "third.sqlite3"))
    for source, target in ((first, second), (second, third)):
        write_backup(source, tmp_path / "b.zip")
        restore_backup(target, tmp_path / "b.zip")
        assert contents(target) == before


def test_a_database_that_holds_something_is_replaced_only_on_request(
    settings: Settings, tmp_path: Path
) -> None:
    fill(settings)
    write_backup(settings, tmp_path / "b.zip")
    before = contents(settings)
    with open_database(settings.database_url) as database, database.change() as change:
        change.store_problem("later", SPEC)
    later = contents(settings)
    with pytest.raises(UsageError, match=r"holds [\d,]+ rows; .*--replace"):
        restore_backup(settings, tmp_path / "b.zip")
    assert contents(settings) == later
    _, aside = restore_backup(settings, tmp_path / "b.zip", replace=True)
    assert contents(settings) == before
    if settings.database_url.startswith("sqlite"):
        assert aside is not None
        assert contents(Settings(database_url=str(aside / "problems.sqlite3"))) == later


def test_jobs_may_be_left_out(settings: Settings, other: Settings, tmp_path: Path) -> None:
    fill(settings)
    write_backup(settings, tmp_path / "b.zip")
    restore_backup(other, tmp_path / "b.zip", jobs=False)
    with open_database(other.database_url) as database, database.read() as reader:
        assert [token.id for token in list_tokens(reader)] == ["abcdef012345"]
    with JobQueue(other) as queue:
        assert queue.counts() == {"queued": 0, "running": 0}


def test_a_service_writes_while_a_backup_is_taken(
    settings: Settings, other: Settings, tmp_path: Path
) -> None:
    """Each backup has whole changes: as many solutions as versions of the suite."""
    fill(settings, jobs=0)
    ended = threading.Event()
    wrote: list[int] = []

    def write() -> None:
        with open_database(settings.database_url) as database:
            while not ended.is_set() and len(wrote) < 500:
                number = len(wrote) + 2
                with database.change() as change:
                    change.add_suite("sum", a_suite(*range(1, number + 1)))
                    change.add_solution(a_solution(source=f"def f(): {number}"))
                wrote.append(number)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        while len(wrote) < 2 and writer.is_alive():
            ended.wait(0.01)
        write_backup(settings, tmp_path / "b.zip")
        at_end = len(wrote)
    finally:
        ended.set()
        writer.join()
    assert at_end >= 2
    restore_backup(other, tmp_path / "b.zip")
    with open_database(other.database_url) as database:
        held = database.status().records
    assert held["suite_versions"] == held["solutions"] >= 3


@pytest.mark.exhaustive
def test_a_run_that_waited_runs_after_a_restore(tmp_path: Path) -> None:
    request = {
        "program": "print(3)",
        "language": "python",
        "tests": [{"input": "", "expected": "3"}],
    }
    first = Settings(database_url=str(tmp_path / "first.sqlite3"))
    open_database(first.database_url).close()
    with JobQueue(first) as queue:
        job = queue.submit("judge", request, Caller(owner="", name="local"))
    write_backup(first, tmp_path / "b.zip")
    folder = tmp_path / "second"
    restore_backup(Settings(database_url=str(folder / "steelyard.sqlite3")), tmp_path / "b.zip")
    with running_service(folder, "--workers", "1") as service:
        end = time.monotonic() + 120
        while (run := service.get(f"/v1/runs/{job.id}").json)["state"] in ("queued", "running"):
            assert time.monotonic() < end, run
            time.sleep(0.1)
    assert run["state"] == "done", run
    assert run["result"]["success"]


def broken(file: Path, name: str, old: bytes, new: bytes) -> Path:
    """Copy a backup, with a change in one member."""
    copy = file.with_name(f"broken-{file.name}")
    with zipfile.ZipFile(file) as source, zipfile.ZipFile(copy, "w") as target:
        for each in source.namelist():
            data = source.read(each)
            if each == name:
                assert old in data
                data = data.replace(old, new)
            target.writestr(each, data)
    return copy


@pytest.fixture(scope="module")
def backup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of the database next to it."""
    folder = tmp_path_factory.mktemp("backup")
    own = Settings(database_url=str(folder / "own.sqlite3"))
    fill(own, jobs=1)
    write_backup(own, folder / "b.zip")
    return folder / "b.zip"


@pytest.mark.parametrize(
    ("member", "old", "new", "error"),
    [
        ("records.jsonl", b"Add the", b"Sum the", "records.jsonl was changed"),
        ("tokens.jsonl", b"trainer", b"someone", "tokens.jsonl was changed"),
        ("manifest.json", b'"steelyard_backup":1', b'"steelyard_backup":2', "has a newer format"),
        ("manifest.json", b'"revision":"0', b'"revision":"9', "reads up to 0"),
        ("manifest.json", b'"tokens.jsonl":{', b'"../../x":{', "is broken or cut off"),
        ("manifest.json", b'"created"', b'"creation"', "is broken or cut off (its manifest)"),
    ],
)
def test_a_changed_backup_is_refused(
    backup: Path, tmp_path: Path, member: str, old: bytes, new: bytes, error: str
) -> None:
    target = Settings(database_url=str(tmp_path / "new" / "x.sqlite3"))
    with pytest.raises(UsageError, match=re.escape(error)) as caught:
        restore_backup(target, broken(backup, member, old, new))
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "new").exists()


def test_a_file_name_does_not_lead_out_of_the_folder(backup: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(backup) as archive:
        (name,) = (each for each in archive.namelist() if each.startswith("runs/"))
        plain = archive.read("manifest.json").decode()
        members = {each: archive.read(each) for each in archive.namelist()}
    wrong = "runs/../../escaped"
    copy = tmp_path / "w.zip"
    with zipfile.ZipFile(copy, "w") as archive:
        for each, data in members.items():
            if each == "manifest.json":
                archive.writestr(each, plain.replace(json.dumps(name), json.dumps(wrong)))
            else:
                archive.writestr(wrong if each == name else each, data)
    with pytest.raises(UsageError, match="a member is named"):
        restore_backup(Settings(database_url=str(tmp_path / "n" / "x.sqlite3")), copy)
    assert not list(tmp_path.rglob("escaped"))


def test_what_is_not_a_backup_is_one_line(backup: Path, tmp_path: Path) -> None:
    cut, text_file, other_zip = (tmp_path / name for name in ("cut.zip", "text", "other.zip"))
    cut.write_bytes(backup.read_bytes()[:-200])
    text_file.write_text("hello")
    with zipfile.ZipFile(other_zip, "w") as archive:
        archive.writestr("x", "y")
    target = Settings(database_url=str(tmp_path / "new" / "x.sqlite3"))
    for file, error in (
        (cut, "is broken or cut off"),
        (text_file, "is broken or cut off"),
        (other_zip, "is not a backup"),
        (tmp_path / "none.zip", "No such file"),
        (tmp_path, "Is a directory"),
    ):
        with pytest.raises(UsageError, match=error) as caught:
            restore_backup(target, file)
        assert "\n" not in str(caught.value)
    assert not (tmp_path / "new").exists()


def test_a_restore_that_fails_leaves_the_database(
    backup: Path, settings: Settings, database_server: DatabaseServer
) -> None:
    """A malformed token in a backup whose hashes are right."""
    fill(settings, jobs=1)
    before = contents(settings)
    with zipfile.ZipFile(backup) as archive:
        old = archive.read("tokens.jsonl")
    new = old.replace(b'"judge"', b'"jugde"')
    copy = broken(backup, "tokens.jsonl", old, new)
    with zipfile.ZipFile(copy) as archive:
        plain = archive.read("manifest.json").decode()
    first, second = (hashlib.sha256(each).hexdigest() for each in (old, new))
    assert first in plain
    wrong = broken(copy, "manifest.json", first.encode(), second.encode())
    with pytest.raises(UsageError, match=r"tokens\.jsonl has a malformed line"):
        restore_backup(settings, wrong, replace=True)
    assert contents(settings) == before


def test_faults_of_the_database_are_one_line(backup: Path, tmp_path: Path) -> None:
    missing = Settings(database_url=str(tmp_path / "none.sqlite3"))
    with pytest.raises(DatabaseError, match="there is no database"):
        write_backup(missing, tmp_path / "c.zip")
    older = tmp_path / "older.sqlite3"
    with open_database(older) as database:
        database.upgrade("0004")
    with pytest.raises(DatabaseError, match="run `steelyard db upgrade`"):
        write_backup(Settings(database_url=str(older)), tmp_path / "c.zip")
    with sqlite3.connect(older) as raw:
        raw.execute("UPDATE steelyard_version SET version_num = '9999'")
    raw.close()
    with pytest.raises(DatabaseError, match="use the version that made it"):
        write_backup(Settings(database_url=str(older)), tmp_path / "c.zip")
    assert not list(tmp_path.glob("*c.zip*"))
    # A newer version's database can be replaced, and is kept.
    _, aside = restore_backup(Settings(database_url=str(older)), backup, replace=True)
    assert aside is not None
    assert (aside / "older.sqlite3").exists()


def test_a_full_disk_is_one_line(backup: Path, small_disk: Path) -> None:
    own = Settings(database_url=str(backup.with_name("own.sqlite3")))
    with pytest.raises(UsageError, match="No space left on device; free disk space"):
        write_backup(own, small_disk / "b.zip")
    assert os.listdir(small_disk) == ["filler"]
    with pytest.raises(DatabaseError, match="free disk space"):
        restore_backup(Settings(database_url=str(small_disk / "x.sqlite3")), backup)
    assert os.listdir(small_disk) == ["filler"]


def test_only_a_file_is_replaced(backup: Path, tmp_path: Path) -> None:
    own = Settings(database_url=str(backup.with_name("own.sqlite3")))
    folder = tmp_path / "targets"
    folder.mkdir()
    os.mkfifo(folder / "pipe")
    (folder / "link").symlink_to("file")
    with pytest.raises(UsageError, match="pipe cannot be written: Not a regular file; name"):
        write_backup(own, folder / "pipe")
    write_backup(own, folder / "link")
    assert sorted(os.listdir(folder)) == ["file", "link", "pipe"]
    assert (folder / "link").is_symlink()
    assert stat.S_ISFIFO((folder / "pipe").stat().st_mode)


def test_a_running_worker_is_in_the_way(settings: Settings, tmp_path: Path) -> None:
    from steelyard.service.jobs._worker import lock_worker

    fill(settings, jobs=1)
    write_backup(settings, tmp_path / "b.zip")
    lock = lock_worker(job_place(settings), "w1")
    try:
        with pytest.raises(DatabaseError, match="stop"):
            restore_backup(settings, tmp_path / "b.zip", replace=True)
    finally:
        lock.free()
    restore_backup(settings, tmp_path / "b.zip", replace=True)


def test_a_server_that_holds_only_jobs_is_not_empty(
    backup: Path, database_server: DatabaseServer
) -> None:
    own = Settings(database_url=database_server.new())
    with JobQueue(own) as queue:
        queue.submit("judge", {"program": "print(1)"}, Caller())
    with pytest.raises(UsageError, match=r"holds 1 job; .*--replace"):
        restore_backup(own, backup)
    with open_database(own.database_url) as database, database.read() as reader:
        assert reader.connection.execute(text("SELECT 1")).scalar_one() == 1
        assert list_tokens(reader) == ()
