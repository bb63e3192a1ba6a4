"""Let the database itself refuse to change or delete rows."""

from alembic import op

_GUARD = """
CREATE FUNCTION steelyard_append_only() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$
"""


def make_guard() -> None:
    """Make what the triggers of PostgreSQL call; SQLite needs nothing."""
    if not _is_sqlite():
        op.execute(_GUARD)


def drop_guard() -> None:
    """Undo `make_guard`."""
    if not _is_sqlite():
        op.execute("DROP FUNCTION steelyard_append_only()")


def forbid_changes(table: str) -> None:
    """Add the triggers of a table. They are dropped with it."""
    if _is_sqlite():
        for event in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{event.lower()} BEFORE {event} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            )
    else:
        op.execute(
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION steelyard_append_only()"
        )


def _is_sqlite() -> bool:
    return op.get_context().dialect.name == "sqlite"
