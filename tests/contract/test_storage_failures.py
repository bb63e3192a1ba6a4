"""Whatever goes wrong with a database is one line, and nothing is half stored."""

import os
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from steelyard import _sqlite_files
from steelyard.errors import DatabaseError, UsageError
from steelyard.storage import Database, _engine, check_records, open_database
from tests.database_server import PASSWORD, DatabaseServer
from tests.stored_problems import SPEC, a_solution, a_suite

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.xdist_group("database")

ON_A_SMALL_DISK = """
import shutil, sqlite3, subprocess, sys
from contextlib import closing
from steelyard.errors import DatabaseError
from steelyard.storage import check_records, export_lines, open_database
from tests.stored_problems import SPEC, a_solution, a_suite

def store(source):
    try:
        with open_database(sys.argv[1]) as database, database.change() as change:
            solution = a_solution(problem="new", source=source)
            change.store_problem("new", SPEC, a_suite(1, 2), [solution])
    except DatabaseError as error:
        print(error)

def show(file):
    try:
        with open_database(file, create=False) as database, database.read() as reader:
            names = [each.name for each in reader.problems()]
            print(names, list(check_records(reader)), len(list(export_lines(reader))))
        with open_database(file) as database:
            print(database.status().records["problems"])
    except DatabaseError as error:
        print(error)

file, disk = sys.argv[1:]
store("x" * 2_000_000)
with closing(sqlite3.connect(file)) as held:
    held.execute("PRAGMA user_version = 1")
    for ending in ("", "-wal"):
        shutil.copy(file + ending, f"{disk}/logged{ending}")
subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
show(file)
store("x")
show(f"{disk}/logged")
"""


@pytest.fixture
def file(tmp_path: Path, empty_database: Path) -> Path:
    """A database in a file, with one problem."""
    file = Path(shutil.copy(empty_database, tmp_path / "problems.sqlite3"))
    with open_database(file) as database, database.change() as change:
        change.store_problem("sum", SPEC, a_suite(1), [a_solution()])
    return file


def run(*argv: str | Path) -> list[str]:
    done = subprocess.run(argv, capture_output=True, text=True, cwd=ROOT, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def refused(use: Callable[[], object], says: str) -> None:
    with pytest.raises(DatabaseError, match=says) as caught:
        use()
    assert "\n" not in str(caught.value)
    assert PASSWORD not in str(caught.value)


def test_processes_that_write_at_once_or_are_killed(database_url: str) -> None:
    run(sys.executable, "-m", "tests.contract.storage_writers", database_url)


def test_what_is_not_a_database_is_named(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("no database " * 100)
    refused(lambda: open_database(text), r"notes\.txt is not a database; name another file")
    refused(lambda: open_database(tmp_path), "is not a file; name another one")
    os.mkfifo(tmp_path / "pipe")
    refused(lambda: open_database(tmp_path / "pipe"), "pipe is not a file")
    refused(lambda: open_database(text / "x.sqlite3"), r"cannot be made: .*; name a")
    refused(lambda: open_database(text / "x", create=False), "there is no database .*/x; make it")
    (tmp_path / "dead").symlink_to(tmp_path / "gone" / "x")
    refused(lambda: open_database(tmp_path / "dead"), "there is no database .*/dead; make it")
    assert text.read_text() == "no database " * 100


def test_a_damaged_file_is_named(file: Path) -> None:
    with sqlite3.connect(file) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    raw.close()
    with file.open("r+b") as damaged:
        damaged.seek(4096)
        damaged.write(b"\xff" * 65_536)

    def use() -> None:
        with open_database(file) as database, database.read() as reader:
            reader.suite_of("sum")
            list(check_records(reader))

    refused(use, "is damaged; restore it from an export or a backup")


def test_a_locked_database_is_named(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_sqlite_files, "BUSY_S", 0.05)
    with open_database(file) as database:
        other = sqlite3.connect(file, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with database.read() as reader:
            assert len(reader.problems()) == 1
        refused(lambda: store(database, "new"), "has been locked by another process for 30 s; try")
        other.execute("ROLLBACK")
        other.close()
        store(database, "new")


def store(database: Database, name: str) -> None:
    with database.change() as change:
        change.store_problem(name, SPEC, a_suite(2))


def test_a_file_that_is_removed_in_the_middle(file: Path, tmp_path: Path) -> None:
    copy = shutil.copy(file, tmp_path / "copy.sqlite3")

    def lose(by: Callable[[], object]) -> None:
        with open_database(file) as database, database.change() as change:
            change.store_problem("new", SPEC)
            by()

    refused(lambda: lose(file.unlink), "was removed or replaced meanwhile, so the change is lost")
    shutil.copy(copy, file)
    other = shutil.copy(copy, tmp_path / "other.sqlite3")
    refused(lambda: lose(lambda: os.replace(other, file)), "was removed or replaced meanwhile")
    for left in tmp_path.glob("problems.sqlite3-*"):
        left.unlink()
    with open_database(file) as database:
        with database.read() as reader:
            assert [each.name for each in reader.problems()] == ["sum"]
        file.unlink()
        refused(lambda: store(database, "new"), "there is no database .*; make it")


def test_a_write_that_fails_stores_nothing(file: Path) -> None:
    def big() -> None:
        with database.change() as change:
            change.add_solution(a_solution(source="x" * 1_000_000))

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with open_database(file) as database:
        before = database.status().records
        resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, hard))
        try:
            refused(big, rf"^{file} (is on a full disk|cannot be used: disk I/O error)")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert database.status().records == before
        with database.read() as reader:
            assert list(check_records(reader)) == []


def test_a_disk_that_is_full_or_read_only_is_named(file: Path) -> None:
    disk = file.parent / "disk"
    disk.mkdir()
    begin = ("unshare", "--mount", "sh", "-c")
    try:
        subprocess.run([*begin, f"mount -t tmpfs none {disk}"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no file system can be mounted here")
    copy = f'mount -t tmpfs -o size=1m none {disk} && cp {file} {disk}/a && exec "$@"'
    full, held, number, read_only, logged = run(
        *begin, copy, "sh", sys.executable, "-c", ON_A_SMALL_DISK, disk / "a", disk
    )
    assert full == f"{disk}/a is on a full disk; free disk space"
    assert re.fullmatch(r"\['sum'\] \[\] \d+", held)
    assert number == "1"
    assert (
        read_only == f"{disk}/a is read-only; name a file that you can write to, in such a folder"
    )
    assert logged == (
        f"{disk}/logged has a log, logged-wal, which cannot be read in a read-only folder; "
        "copy both files to a folder that you can write to"
    )


def test_a_file_that_another_user_changes_is_not_read(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def become_ordinary() -> None:
        monkeypatch.setattr(os, "access", lambda _path, _mode: False)

    def read() -> None:
        become_ordinary()
        with database.read() as reader:
            assert len(reader.problems()) == 1
            monkeypatch.undo()
            with writer.change() as change:
                change.store_problem("new", SPEC, a_suite(1))
            become_ordinary()

    with open_database(file) as writer, open_database(file) as database:
        refused(read, "was changed by another user while it was read; try again")


def test_missing_packages_are_named(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from steelyard.errors import UsageError\n"
        "from steelyard.storage import open_database\n"
        "for package in ('alembic', 'sqlalchemy'):\n"
        "    sys.modules[package] = None\n"
        "    try: open_database(sys.argv[1])\n"
        "    except UsageError as error: print(error)\n"
    )
    for fault in run(sys.executable, "-c", code, tmp_path / "x"):
        assert fault.startswith("the database needs the packages sqlalchemy and alembic; run: ")
        assert "[author]" in fault


def test_a_missing_driver_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(
        UsageError, match=r"postgresql://u@h/d needs .* psycopg; run: .*\[postgres\]"
    ):
        open_database("postgresql://u:p@h/d")


def test_a_server_that_is_not_there_is_named(tmp_path: Path) -> None:
    url = f"postgresql://ann:{PASSWORD.replace('@', '%40').replace('/', '%2F')}@/x?host={tmp_path}"
    refused(lambda: open_database(url), r"^postgresql://ann@/x cannot be reached \(.*start the ser")


def test_what_a_server_refuses_is_named(
    database_server: DatabaseServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = database_server.new_with_tables()
    name = url.partition("@/")[2].partition("?")[0]
    wrong = database_server.url(name, "guest", "wrong " + PASSWORD)
    refused(lambda: open_database(wrong), "password authentication failed")
    guest = database_server.url(name, "guest", PASSWORD)
    refused(lambda: open_database(guest), "does not permit this to the user; ask its owner")
    refused(lambda: open_database(database_server.url("none")), 'database "none" does not exist')
    monkeypatch.setattr(_engine, "BUSY_S", 1)
    with open_database(url) as first, open_database(url) as second, first.change():
        refused(lambda: store(second, "new"), "has been locked by another process for 30 s; try")
    database_server.execute(
        "postgres", f"ALTER DATABASE {name} SET default_transaction_read_only = on"
    )
    with open_database(url) as database:
        refused(lambda: store(database, "new"), "is read-only; name a database that you can wri")


def test_a_server_that_stops_in_the_middle(database_server: DatabaseServer) -> None:
    url = database_server.new_with_tables()

    def stop() -> None:
        with database.change() as change:
            change.store_problem("new", SPEC, a_suite(1))
            database_server.stop()
            change.store_problem("new", SPEC, a_suite(2))

    with open_database(url) as database:
        store(database, "old")
        refused(stop, "(is shutting down|lost its connection|cannot be reached)")
        refused(lambda: store(database, "new"), "cannot be reached")
        database_server.start()
        with database.read() as reader:
            assert [each.name for each in reader.problems()] == ["old"]
        store(database, "new")
