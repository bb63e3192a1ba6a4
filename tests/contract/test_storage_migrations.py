"""The tables go up and down with their records, as a whole or not at all, in both engines."""

import shutil
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import patch

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from steelyard.errors import DatabaseError, UsageError
from steelyard.schemas import (
    MutationScore,
)
from steelyard.storage import (
    _database,
    check_records,
    database_at,
    export_lines,
    import_lines,
    list_tokens,
    open_database,
    submission_page,
)
from steelyard.storage._tables import HEAD, REVISIONS, VERSION_TABLE, metadata
from tests.database_server import DatabaseServer
from tests.stored_problems import SPEC, a_solution, a_suite, an_input

pytestmark = pytest.mark.xdist_group("database")
SCORE = MutationScore(mutants=4, killed=3, never_killed=1, low=0.75, high=1.0, possible=9)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.exhaustive)])
def blank_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database without tables; that of a file that does not exist."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/folder/problems.sqlite3"
    server: DatabaseServer = request.getfixturevalue("database_server")
    return server.new()


def execute(url: str, *statements: str) -> None:
    """Run statements as another program would."""
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    try:
        with engine.begin() as connection:
            for statement in statements:
                connection.exec_driver_sql(statement)
    finally:
        engine.dispose()


def test_the_revisions_are_those_of_the_migrations() -> None:
    config = Config()
    config.set_main_option("script_location", str(_database.MIGRATIONS))
    script = ScriptDirectory.from_config(config)
    assert [each.revision for each in script.walk_revisions()][::-1] == list(REVISIONS)
    assert script.get_heads() == [HEAD]


def test_the_migrations_lead_to_the_tables(blank_url: str) -> None:
    open_database(blank_url).close()
    engine = create_engine(blank_url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
        assert compare_metadata(context, metadata) == []
    engine.dispose()


def test_records_stay_when_the_tables_go_down_and_up(blank_url: str) -> None:
    with database_at(blank_url) as database:
        assert database.upgrade() == ""
        with database.change() as change:
            change.store_problem("sum", SPEC, a_suite(1, 2), [a_solution()])
        assert database.upgrade("0004") == HEAD
        assert "owners" not in database.status().records
        with database.read() as reader:
            assert reader.suite_of("sum") == a_suite(1, 2)
        with pytest.raises(DatabaseError, match="has revision 0004, and 0005 is needed; run `st"):
            open_database(blank_url)
        assert database.upgrade() == "0004"
        with database.change() as change:
            change.open_challenge("sum", an_input([]), reason="", by="ann", owner="0" * 12)
        before = database.status()
        with pytest.raises(UsageError, match="no table for the records in owners; export"):
            database.upgrade("0004")
        assert database.status() == before
        assert database.upgrade("base", drop_data=True) == HEAD
        assert database.status().records == {}
        assert database.upgrade() == ""
        assert database.upgrade() == database.revision() == HEAD
        with pytest.raises(UsageError, match="no revision '0009' of the database; give one of 00"):
            database.upgrade("0009")


def test_owners_are_those_that_can_be_proved(blank_url: str) -> None:
    """A name alone proves nothing: two tokens of one name were two callers."""
    then = datetime(2026, 3, 1, tzinfo=UTC)
    tokens = {  # the time of its creation and its end, in days, around that of the records
        "twins": ((-9, None), (-8, None)),
        "alone": ((-9, None),),
        "late": ((1, None),),
        "ended": ((-9, -2),),
        "renewed": ((-9, -2), (-1, None)),
        "just": ((-9, -0.01), (-1, None)),
        "local": ((-9, None),),
        "later twin": ((-9, None), (2, None)),
    }
    with database_at(blank_url) as database:
        database.upgrade()
        with database.change() as change:
            change.store_problem("sum", SPEC, a_suite(1, 2))
            with patch("steelyard.storage._changing.now", lambda: then):
                for name in (*tokens, "never"):
                    own = a_solution(source=f"# {name}", role="submission")
                    change.add_submission(own, name)
                    given = an_input([len(name)])
                    change.open_challenge("sum", given, reason="r", by=name)
        database.upgrade("0004")
        number, ids = 0, {}
        for name, times in tokens.items():
            for created, ended in times:
                number += 1
                ids[f"{number:012x}"] = name
                ends = "NULL" if ended is None else f"'{_day(then, ended)}'"
                execute(
                    blank_url,
                    "INSERT INTO tokens (id, name, secret_sha256, scopes, "
                    "created_utc, revoked_utc) VALUES "
                    f"('{number:012x}', '{name}', '{number:064x}', 'judge', "
                    f"'{_day(then, created)}', {ends})",
                )
        assert database.upgrade() == "0004"
        with database.read() as reader:
            assert all(each.owner == each.id for each in list_tokens(reader))
            sent = {each.submission.by: each.owner for each in submission_page(reader)}
            challenged = {
                each.challenge.by: reader.owner_of(each.challenge.digest)
                for each in reader.challenges()
            }
            assert not list(check_records(reader))
            exported = [line.encode() for line in export_lines(reader)]
        proved = {name for name, owner in sent.items() if owner}
        assert proved == {"alone", "renewed", "later twin"}
        assert all(ids[owner] == name for name, owner in sent.items() if owner)
        assert challenged == sent
        assert sent["later twin"] == min(each for each in ids if ids[each] == "later twin")
        with pytest.raises(UsageError, match="no table for the records in owners"):
            database.upgrade("0004")
        database.upgrade("base", drop_data=True)
        database.upgrade()
        with database.change() as change:
            import_lines(change, exported, "owners")
            again = {each.submission.by: each.owner for each in submission_page(change)}
        assert again == sent


def _day(then: datetime, days: float) -> str:
    moment = then + timedelta(days=days)
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def test_a_migration_that_fails_leaves_nothing(blank_url: str) -> None:
    with database_at(blank_url) as database:
        database.upgrade("0004")
        execute(blank_url, "CREATE TABLE owners (x INTEGER)")
        with pytest.raises(DatabaseError) as caught:
            database.upgrade()
        assert "\n" not in str(caught.value)
        assert "owners" in str(caught.value)
        assert database.revision() == "0004"
        execute(blank_url, "DROP TABLE owners")
        assert database.upgrade() == "0004"
        assert database.revision() == HEAD


def test_several_make_the_tables_at_once(blank_url: str) -> None:
    made: list[str] = []

    def make() -> None:
        with open_database(blank_url) as database:
            made.append(database.revision())

    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [HEAD] * 4


def test_a_newer_database_is_left_alone(database_url: str) -> None:
    execute(database_url, f"UPDATE {VERSION_TABLE} SET version_num = '9999'")
    refused = rf"has revision 9999, and this version .* reads 0004 to {HEAD}; use the version that"
    with pytest.raises(DatabaseError, match=refused):
        open_database(database_url)
    with database_at(database_url) as database, pytest.raises(DatabaseError, match=refused):
        database.upgrade()


def test_the_database_of_another_program_is_left_alone(blank_url: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    execute(blank_url, "CREATE TABLE problems (x INTEGER)")
    refused = "is the database of another program; name another one"
    with pytest.raises(DatabaseError, match=refused):
        open_database(blank_url)
    with database_at(blank_url) as database, pytest.raises(DatabaseError, match=refused):
        database.upgrade()


def test_a_file_is_private_and_its_folder_is_made(tmp_path: Path, empty_database: Path) -> None:
    file = tmp_path / "a" / "b" / "100%20c.sqlite3"
    open_database(file).close()
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    with pytest.raises(DatabaseError, match=r"there is no database .*none\.sqlite3; make it"):
        open_database(tmp_path / "none.sqlite3", create=False)
    assert not (tmp_path / "none.sqlite3").exists()
    link = tmp_path / "link.sqlite3"
    link.symlink_to(shutil.copy(empty_database, tmp_path / "real.sqlite3"))
    with open_database(link) as database, database.change() as change:
        change.add_problem("sum")
