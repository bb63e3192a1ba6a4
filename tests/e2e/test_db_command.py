"""`steelyard db` as a user runs it."""

import json
from pathlib import Path

import pytest

from steelyard.storage import open_database
from tests.e2e.conftest import Run
from tests.stored_problems import LARGE, SPEC, a_case, a_solution, a_suite, an_input


@pytest.fixture
def database(empty_database: Path, tmp_path: Path) -> Path:
    """A database with one problem."""
    file = tmp_path / "problems.sqlite3"
    file.write_bytes(empty_database.read_bytes())
    with open_database(file) as opened, opened.change() as change:
        change.store_problem("sum", SPEC, a_suite(1, 2), [a_solution()])
    return file


def test_the_usual_database_is_in_the_data_folder(steelyard: Run, tmp_path: Path) -> None:
    env = {"XDG_DATA_HOME": str(tmp_path / "data"), "STEELYARD_DATABASE_URL": ""}
    file = tmp_path / "data" / "steelyard" / "steelyard.sqlite3"
    missing = steelyard("db", "status", **env)
    assert (missing.returncode, missing.stdout) == (3, "")
    assert str(file) in missing.stderr
    assert "`steelyard db upgrade`" in missing.stderr
    made = steelyard("db", "upgrade", **env)
    assert made.stdout == f"{file}: base -> 0005\n"
    assert steelyard("db", "upgrade", **env).stdout == f"{file} has revision 0005 already\n"
    shown = steelyard("db", "status", **env).stdout
    assert f"database  {file}\n" in shown
    assert "revision  0005, the newest\n" in shown


def test_an_export_is_imported_once(steelyard: Run, database: Path, tmp_path: Path) -> None:
    env = {"STEELYARD_DATABASE_URL": f"sqlite:///{database}"}
    done = steelyard("db", "export", "all.jsonl", **env)
    assert (done.returncode, done.stdout) == (0, "")
    lines = (tmp_path / "all.jsonl").read_text()
    assert steelyard("db", "export", **env).stdout == lines
    first = steelyard("db", "import", "all.jsonl", "--db", "new.sqlite3", "--json")
    assert json.loads(first.stdout)["added"]["case"] == 2
    again = steelyard("db", "import", "all.jsonl", "--db", "new.sqlite3")
    assert again.stdout == "0 new records in new.sqlite3\n"
    assert steelyard("db", "export", "--db", "new.sqlite3").stdout == lines
    cut = tmp_path / "cut.jsonl"
    cut.write_text(lines[:-100])
    refused = steelyard("db", "import", cut, "--db", "new.sqlite3")
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"steelyard: {cut}, line ")
    assert refused.stderr.count("\n") == 1


def test_damage_has_the_exit_status_1(steelyard: Run, database: Path) -> None:
    import sqlite3

    good = steelyard("db", "check", "--db", database)
    said = f"{database}: every record has its digest and its references\n"
    assert (good.returncode, good.stdout) == (0, said)
    with sqlite3.connect(database) as raw:
        raw.execute("DROP TRIGGER specs_no_update")
        raw.execute("UPDATE specs SET body = replace(body, 'Add', 'Sum')")
    raw.close()
    bad = steelyard("db", "check", "--db", database)
    assert bad.returncode == 1
    assert bad.stdout.startswith("specs ")
    assert "does not have this digest" in bad.stdout
    report = steelyard("db", "check", "--db", database, "--json")
    assert report.returncode == 1
    assert json.loads(report.stdout)["faults"][0]["table"] == "specs"
    stopped = steelyard("db", "export", "x.jsonl", "--db", database)
    assert (stopped.returncode, (database.parent / "x.jsonl").exists()) == (3, False)


def test_an_expression_that_gives_another_input_is_damage(steelyard: Run, database: Path) -> None:
    wrong = a_case(3, input=an_input([0] * 9, expression="[[0] * 8]"))
    with open_database(database) as opened, opened.change() as change:
        change.add_suite("sum", a_suite(cases=(LARGE, wrong)))
    bad = steelyard("db", "check", "--db", database)
    assert (bad.returncode, bad.stdout.count("\n")) == (1, 1)
    assert bad.stdout.startswith("inputs ")
    assert "[[0] * 8]" in bad.stdout


def test_tables_go_down_only_with_consent(steelyard: Run, database: Path) -> None:
    refused = steelyard("db", "upgrade", "--to", "base", "--db", database)
    assert refused.returncode == 2
    assert "--drop-data" in refused.stderr
    assert steelyard("db", "check", "--db", database).returncode == 0
    done = steelyard("db", "upgrade", "--to", "0004", "--db", database, "--json")
    assert json.loads(done.stdout) == {"url": str(database), "before": "0005", "revision": "0004"}
    older = steelyard("db", "check", "--db", database, "--json")
    assert older.returncode == 3
    assert json.loads(older.stdout)["error"]["type"] == "DatabaseError"


def test_a_password_is_never_printed(steelyard: Run, tmp_path: Path) -> None:
    for url in (f"postgresql://ann:s3cret@/x?host={tmp_path}", "mysql://ann:s3cret@h/x"):
        for args in (("--db", url), ()):
            done = steelyard("db", "status", *args, STEELYARD_DATABASE_URL=url)
            assert done.returncode in (2, 3)
            assert "s3cret" not in done.stdout + done.stderr


def test_a_backup_is_restored_by_commands(steelyard: Run, database: Path, tmp_path: Path) -> None:
    pytest.importorskip("dbos")
    missing = steelyard("db", "backup", "b.zip", "--db", "none.sqlite3")
    assert (missing.returncode, missing.stderr.count("\n")) == (3, 1)
    made = steelyard("db", "backup", "b.zip", "--db", database, "--json")
    assert json.loads(made.stdout)["lines"]["tokens.jsonl"] == 0
    first = steelyard("db", "restore", "b.zip", "--db", "copy.sqlite3")
    assert first.stdout.endswith("run files; every record has its digest\n")
    exports = [
        steelyard("db", "export", "--db", each).stdout for each in (database, "copy.sqlite3")
    ]
    assert exports[0] == exports[1]
    again = steelyard("db", "restore", "b.zip", "--db", "copy.sqlite3", "--json")
    assert again.returncode == 2
    assert "--replace" in json.loads(again.stdout)["error"]["message"]
    replaced = steelyard("db", "restore", "b.zip", "--db", "copy.sqlite3", "--replace", "--json")
    assert Path(json.loads(replaced.stdout)["replaced"]).is_dir()


@pytest.mark.parametrize("command", ["serve", "worker"])
def test_older_tables_are_not_served(steelyard: Run, database: Path, command: str) -> None:
    env = {"STEELYARD_DATABASE_URL": f"sqlite:///{database}"}
    assert steelyard("db", "upgrade", "--to", "0004", **env).returncode == 0
    done = steelyard(command, **env)
    assert (done.returncode, done.stdout) == (3, "")
    assert "has revision 0004, and 0005 is needed; run `steelyard db upgrade`" in done.stderr
    assert len(done.stderr.splitlines()) == 1
