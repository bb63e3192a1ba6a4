"""An export holds everything, comes back as it was, and refuses what was changed."""

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from steelyard.errors import DatabaseError, UsageError
from steelyard.schemas import StrengthReport, Verdict, canonical_json, sha256_of
from steelyard.storage import (
    Database,
    check_records,
    export_lines,
    import_lines,
    open_database,
)
from tests.stored_problems import LARGE, SPEC, a_case, a_result, a_solution, a_suite, an_input

pytestmark = pytest.mark.xdist_group("database")
Lines = list[bytes]


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    with open_database(database_url) as database:
        yield database


def fill(database: Database) -> None:
    """Store records of every kind."""
    with database.change() as change:
        suite = a_suite(cases=(a_case(1), LARGE, a_case(2, notes=("é\ud800\n",))))
        change.store_problem("sum", SPEC, suite, [a_solution()])
        change.store_problem("Zed", SPEC, a_suite(2))
        change.store_problem("arc", SPEC)
        digest = change.suite_versions("sum")[0].suite
        change.add_judgement(a_solution().digest, digest, "judge", a_result(Verdict.WA))
        change.add_strength(digest, a_solution().digest, "1", StrengthReport(cases=3))
        change.add_submission(a_solution(role="submission"), by="ann", owner="0123456789ab")
        made = change.open_challenge("sum", an_input([5]), reason="new", by="ann", claim=(5,))
        change.add_truth("sum", made.input, 5, by="ann", challenge=made.digest)
        version = change.add_suite("sum", a_suite(2, 1))
        change.move_challenge(made.digest, "accepted", by="judge", suite=version.suite)
        change.add_run("r", "author", "done", datetime(2026, 7, 1, tzinfo=UTC), problem="sum")
    counts = database.status().records
    assert all(count for table, count in counts.items() if table != "tokens")  # of the service


def exported(database: Database) -> Lines:
    with database.read() as reader:
        return [line.encode() for line in export_lines(reader)]


def faults(database: Database) -> list[tuple[str, str]]:
    with database.read() as reader:
        return [(fault.table, fault.fault) for fault in check_records(reader)]


@pytest.fixture
def other(tmp_path: Path, empty_database: Path) -> Iterator[Database]:
    """A second, empty database."""
    with open_database(shutil.copy(empty_database, tmp_path / "other.sqlite3")) as other:
        yield other


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Path:
    """A file of SQLite with records of every kind, to copy."""
    file = tmp_path_factory.mktemp("full") / "full.sqlite3"
    with open_database(shutil.copy(empty_database, file)) as database:
        fill(database)
    return file


@pytest.fixture(scope="module")
def lines_of_all(full: Path) -> Lines:
    """The export of that file."""
    with open_database(full) as database:
        return exported(database)


@pytest.fixture(scope="module")
def unused(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Iterator[Database]:
    """An empty database in which all tests of a module store nothing."""
    file = shutil.copy(empty_database, tmp_path_factory.mktemp("unused") / "unused.sqlite3")
    with open_database(file) as database:
        yield database


def test_what_is_exported_comes_back_byte_for_byte(database: Database, other: Database) -> None:
    fill(database)
    lines = exported(database)
    assert lines == exported(database)
    assert faults(database) == []
    for new in (len(lines) - 2, 0):
        with other.change() as change:
            assert sum(import_lines(change, lines, "export").values()) == new
    assert exported(other) == lines
    assert other.status().records == database.status().records
    assert faults(other) == []
    with database.read() as one, other.read() as two:
        assert one.suite_of("sum") == two.suite_of("sum") == a_suite(2, 1)
        assert one.judgements("sum") == two.judgements("sum")
        assert one.outdated() == two.outdated()


def test_both_ways_between_the_engines(database: Database, lines_of_all: Lines) -> None:
    with database.change() as change:
        import_lines(change, lines_of_all, "export")
    assert exported(database) == lines_of_all


def test_more_records_are_added_to_those_that_are_there(database: Database, tmp_path: Path) -> None:
    fill(database)
    with open_database(tmp_path / "other.sqlite3") as other:
        with other.change() as change:
            import_lines(change, exported(database), "export")
            change.add_suite("sum", a_suite(1, 2, 3))
            solution, suite = a_solution().digest, change.suite_versions("sum")[0].suite
            change.add_judgement(solution, suite, "judge 2", a_result(Verdict.AC))
        lines = exported(other)
    with database.change() as change:
        change.add_judgement(solution, suite, "judge 2", a_result(Verdict.TLE))
        own = change.judgements("sum", suite=suite)[-1]
        added = import_lines(change, lines, "export")
    assert added["suite_version"] == added["suite"] == 1
    assert added["judgement"] == 0
    with database.read() as reader:
        assert reader.suite_of("sum") == a_suite(1, 2, 3)
        assert reader.judgements("sum", suite=suite)[-1] == own  # never replaced


def test_versions_that_contradict_each_other_are_refused(
    database: Database, other: Database
) -> None:
    fill(database)
    with other.change() as change:
        import_lines(change, exported(database), "export")
        change.add_suite("sum", a_suite(7))
    lines = exported(other)
    with database.change() as change:
        change.add_suite("sum", a_suite(8))
    before = exported(database)
    refused = pytest.raises(UsageError, match=r"^export, lines? \d+.*: another suite_version with")
    with refused, database.change() as change:
        import_lines(change, lines, "export")
    assert exported(database) == before


def sealed(lines: Lines) -> Lines:
    """The lines with the end that belongs to them."""
    body = lines[:-1]
    end = {"end": len(body) - 1, "sha256": sha256_of(b"".join(body).decode())}
    return [*body, f"{canonical_json(end)}\n".encode()]


def replaced(old: bytes, new: bytes) -> Callable[[Lines], Lines]:
    return lambda lines: sealed([line.replace(old, new) for line in lines])


def swapped(kind: bytes) -> Callable[[Lines], Lines]:
    """Without the lines of a kind."""
    return lambda lines: sealed([line for line in lines if b'"kind":"%s"' % kind not in line])


def renamed(lines: Lines) -> Lines:
    """A record with its own right digest, which is not a valid one."""
    record = {"name": "../etc", "created_utc": "2026-07-01T00:00:00.000000Z"}
    text = canonical_json(record)
    line = f'{{"digest":"{sha256_of(text)}","kind":"problem","record":{text}}}\n'
    return sealed([lines[0], line.encode(), *lines[1:]])


@pytest.mark.parametrize(
    ("change_lines", "says"),
    [
        (lambda lines: [], "line 1 is not a JSON object"),
        (lambda lines: lines[1:], "is not an export of this format"),
        (lambda lines: [lines[0].replace(b":1", b":2"), *lines[1:]], "is not an export of this"),
        (lambda lines: lines[:-1], r"ends after \d+ lines, without its last one"),
        (lambda lines: [*lines[:-2], lines[-1]], "lines were changed"),
        (lambda lines: [*lines, lines[1]], "lines were changed"),
        (lambda lines: [lines[0], b"[" * 100_000 + b"\n"], "line 2 is not a JSON object"),
        (lambda lines: [lines[0], b"\xff\xfe\n"], "line 2 is not a JSON object"),
        (replaced(b"Add the", b"Sum the"), "does not have its digest"),
        (replaced(b'"kind":"spec"', b'"kind":"spook"'), "'spook' is missing or unknown"),
        (replaced(b'"record":{', b'"record":[],"x":{'), "line 2: .*valid dictionary"),
        (replaced(b'"reason":"new"', b'"reason":"new","late":1'), "late: Extra inputs"),
        (swapped(b"input"), "a case refers to a record that"),
        (swapped(b"case"), "a suite refers to a record that"),
        (renamed, "name: String should match pattern"),
    ],
)
def test_a_changed_export_is_refused_as_a_whole(
    lines_of_all: Lines, unused: Database, change_lines: Callable[[Lines], Lines], says: str
) -> None:
    with pytest.raises(UsageError, match=f"^export.*{says}") as caught, unused.change() as change:
        import_lines(change, change_lines(lines_of_all), "export")
    assert "\n" not in str(caught.value)
    assert not any(unused.status().records.values())


DAMAGE = {
    "UPDATE specs SET body = replace(body, 'Add', 'Sum')": [
        ("specs", "its content does not have this digest"),
    ],
    "UPDATE judgements SET body = 'x'": [("judgements", "its content does not have this")],
    "UPDATE solutions SET role = 'wrong'": [("solutions", "its column role differs")] * 2,
    "UPDATE suites SET tests = 'x'": [("suites", "its column tests is not that")] * 3,
    "UPDATE cases SET test = 'x'": [("cases", "its column test differs")] * 3
    + [("suites", "its column tests is not that")] * 3,
    "DELETE FROM suite_cases WHERE position = 1": [
        ("suites", "its content does not have this digest"),
    ]
    * 2,
    "DELETE FROM specs": [
        ("spec_versions", "its spec is not in specs"),
        ("suites", "its spec is not in specs"),
    ],
    "DELETE FROM suite_versions WHERE number = 1": [
        ("suite_versions", "problem sum has 1 versions up to number 2"),
    ],
    "DELETE FROM challenge_steps WHERE number = 1": [
        ("challenges", "its states do not follow each other: accepted"),
    ],
    "UPDATE inputs SET body = replace(body, '[[5]]', '[[6]]')": [
        ("inputs", "its content does not have this digest"),
    ],
}


@pytest.mark.parametrize("statement", DAMAGE)
def test_damage_is_found_and_never_read(tmp_path: Path, full: Path, statement: str) -> None:
    file = shutil.copy(full, tmp_path / "a.sqlite3")
    with open_database(file) as database:
        with sqlite3.connect(file) as raw:
            for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'"):
                raw.execute(f"DROP TRIGGER {name}")
            raw.execute(statement)
        raw.close()
        found = faults(database)
        for table, fault in DAMAGE[statement]:
            assert any(table == name and fault in text for name, text in found), found
        if "content" in str(DAMAGE[statement]):
            with pytest.raises(DatabaseError, match=r"is damaged: .*; list all damage with"):
                exported(database)


def test_lines_are_records_with_their_digests(lines_of_all: Lines) -> None:
    first, *records, end = map(json.loads, lines_of_all)
    assert (first, end["end"]) == ({"steelyard_export": 1}, len(records))
    for each in records:
        assert sha256_of(canonical_json(each["record"])) == each["digest"]
