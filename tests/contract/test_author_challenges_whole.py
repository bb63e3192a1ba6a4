"""A challenge is stored as a whole or not at all, whatever happens while it is judged."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from steelyard.authoring.challenges import challenge, resolve
from steelyard.errors import CellError, DatabaseError, UsageError
from steelyard.sandbox import CellPool
from steelyard.schemas import ChallengeReport, Event
from steelyard.storage import Database, open_database
from tests import gap_problem as gap
from tests.contract.killed_challenges import NEGATIVES, WRONG
from tests.database_server import DatabaseServer

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.xdist_group("database")


@pytest.fixture
def file(tmp_path: Path, empty_database: Path) -> Path:
    return Path(shutil.copy(empty_database, tmp_path / "problems.sqlite3"))


@pytest.fixture
def database(file: Path) -> Iterator[Database]:
    with open_database(file) as database:
        gap.store(database, *WRONG)
        yield database


def challenged(
    database: Database, pool: CellPool, meanwhile: Callable[[Event], object], *numbers: int
) -> ChallengeReport:
    """Challenge while something else happens; `meanwhile` is called with each event."""

    def on_event(event: Event) -> None:
        meanwhile(event)

    given = list(numbers or NEGATIVES)
    return challenge(
        database,
        gap.NAME,
        [given],
        reason="r",
        by="ann",
        claim=(gap.gap(given),),
        pool=pool,
        on_event=on_event,
    )


def once(work: Callable[[], object]) -> Callable[[Event], None]:
    """Do something at the last event before the challenge is stored, the first time."""
    left = [work]

    def at_the_end(event: Event) -> None:
        if event.stage == "judging submissions again" and left:
            left.pop()()

    return at_the_end


def test_each_solution_that_runs_is_an_event(database: Database, pool: CellPool) -> None:
    events: list[Event] = []
    challenged(database, pool, events.append)
    stages = [each.stage for each in events]
    assert [*dict.fromkeys(stages)] == [
        "running the stored solutions",
        "searching a smaller input",
        "judging submissions again",
    ]
    shares = [each.share for each in events]
    assert shares == sorted(shares, key=float)
    messages = [each.message for each in events if each.message]
    assert any(re.fullmatch(r"brute-force [0-9a-f]{12} on \d+ inputs?", each) for each in messages)


@pytest.mark.parametrize(
    "database_url",
    ["sqlite", pytest.param("postgresql", marks=pytest.mark.exhaustive)],
    indirect=True,
)
def test_a_process_that_is_killed_while_it_stores_changes_nothing(database_url: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.contract.killed_challenges", database_url],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    killed, versions = done.stdout.splitlines()
    assert int(killed.split()[0]) > 3
    assert versions == "2 versions"


def test_a_file_that_is_removed_meanwhile_is_one_line(
    database: Database, file: Path, pool: CellPool, tmp_path: Path
) -> None:
    before = database.status().records
    copy = shutil.copy(file, tmp_path / "copy.sqlite3")
    with pytest.raises(DatabaseError, match="there is no database") as caught:
        challenged(database, pool, once(file.unlink))
    assert "\n" not in str(caught.value)
    shutil.copy(copy, file)
    with open_database(file) as again:
        assert again.status().records == before


@pytest.mark.exhaustive
def test_a_server_that_stops_meanwhile_is_one_line(
    database_server: DatabaseServer, pool: CellPool
) -> None:
    with open_database(database_server.new_with_tables()) as database:
        gap.store(database, *WRONG)
        before = database.status().records
        try:
            with pytest.raises(DatabaseError) as caught:
                challenged(database, pool, once(database_server.stop))
        finally:
            database_server.start()
        assert "\n" not in str(caught.value)
        assert database.status().records == before
        assert challenged(database, pool, lambda _: None).passed


def test_a_machine_that_fails_changes_nothing(database: Database, pool: CellPool) -> None:
    before = database.status().records

    def fail() -> None:
        raise CellError("no cell could start; try again")

    with pytest.raises(CellError):
        challenged(database, pool, once(fail))
    assert database.status().records == before


def test_a_suite_that_changes_meanwhile_is_not_lost(database: Database, pool: CellPool) -> None:
    def other() -> None:
        assert challenged(database, pool, lambda _: None, 900, -900, 1).passed

    report = challenged(database, pool, once(other))
    assert report.passed
    assert report.suite_version == 3
    with database.read() as reader:
        names = {case.name for case in reader.suite_of(gap.NAME).cases}
        assert {"challenge 1", "challenge 2"} <= names
        assert [each.state for each in reader.challenges(gap.NAME)] == ["accepted", "accepted"]


def test_a_problem_that_changes_all_the_time_is_named(database: Database, pool: CellPool) -> None:
    numbers = iter(range(2, 100))

    def change_suite(event: Event) -> None:
        if event.stage == "judging submissions again":
            with database.change() as change:
                change.add_suite(gap.NAME, gap.suite(*gap.CASES, gap.case("new", next(numbers))))

    with pytest.raises(UsageError, match="has changed 5 times while the challenge was judged"):
        challenged(database, pool, change_suite)
    with database.read() as reader:
        assert reader.challenges(gap.NAME) == ()


def test_a_challenge_that_another_person_resolves_meanwhile(
    database: Database, pool: CellPool
) -> None:
    first = challenge(database, gap.NAME, [NEGATIVES], reason="r", by="ann", claim=(5,), pool=pool)
    assert first.state == "quarantined"

    def other() -> None:
        resolve(database, first.challenge, accept=False, by="bob", pool=pool)

    with pytest.raises(UsageError, match="is rejected and cannot become accepted"):
        resolve(
            database,
            first.challenge,
            accept=True,
            by="eve",
            pool=pool,
            on_event=once(other),
        )
    with database.read() as reader:
        assert len(reader.suite_versions(gap.NAME)) == 1
        assert reader.truths(gap.NAME) == ()
