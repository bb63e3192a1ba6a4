"""Accounts: the owner of each token, and of each submission and challenge.

Records had the name of a token only, and any two tokens may have the same name. An account is
proved for a record if one token alone of that name could have sent it. Other records have no owner
and are the administrator's.
"""

import hashlib
import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from steelyard.storage._append_only import forbid_changes

revision = "0005"
down_revision = "0004"

TEXT = sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
BATCH = 500
UNDER_WAY = timedelta(hours=1)
"""A request that was admitted before its token ended stores its record within this time."""
LOCAL = "local"
"""The name of callers on loopback, who had no token."""


def upgrade() -> None:
    """Make the table, and fill it."""
    op.create_table(
        "owners",
        sa.Column("digest", TEXT, nullable=False),
        sa.Column("body", TEXT, nullable=False),
        sa.Column("record", TEXT, nullable=False),
        sa.Column("owner", TEXT, nullable=False),
        sa.Column("created", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("digest"),
        sa.UniqueConstraint("record"),
    )
    op.create_index(
        op.f("owners_owner_created_record_ix"), "owners", ["owner", "created", "record"]
    )
    op.add_column("tokens", sa.Column("owner", TEXT, nullable=False, server_default=""))
    op.execute("UPDATE tokens SET owner = id")
    for table in ("submissions", "challenges"):
        _fill(table)
    forbid_changes("owners")


def downgrade() -> None:
    """Drop the table and the column."""
    op.drop_table("owners")
    op.drop_column("tokens", "owner")


def _fill(name: str) -> None:
    connection = op.get_bind()
    columns = ("id", "name", "scopes", "created_utc", "expires_utc", "revoked_utc")
    tokens = sa.table("tokens", *map(sa.column, columns))
    by_name: dict[str, list[Any]] = {}
    for row in connection.execute(sa.select(tokens)):
        if set(row.scopes.split()) & {"judge", "admin"}:
            by_name.setdefault(row.name, []).append(row)
    table = sa.table(name, *map(sa.column, ("digest", "body")))
    owners = sa.table("owners", *map(sa.column, ("digest", "body", "record", "owner", "created")))
    last = ""
    while True:
        rows = connection.execute(
            sa.select(table.c.digest, table.c.body)
            .where(table.c.digest > last)
            .order_by(table.c.digest)
            .limit(BATCH)
        ).all()
        if not rows:
            return
        for digest, body in rows:
            record = json.loads(body)
            created = record["created_utc"]
            owner = _proved(by_name.get(record["by"], ()), record["by"], _time(created))
            if owner:
                fields = {"created_utc": created, "owner": owner, "record": digest}
                text = json.dumps(fields, sort_keys=True, separators=(",", ":"))
                own = {"digest": hashlib.sha256(text.encode()).hexdigest(), "body": text}
                values = {**own, "record": digest, "owner": owner, "created": created}
                connection.execute(sa.insert(owners).values(values))
        last = rows[-1][0]


def _proved(tokens: Iterable[Any], name: str, at: datetime) -> str:
    """Return the id of the only token that could have sent a record; empty if there are several."""
    known = [each for each in tokens if _time(each.created_utc) <= at]
    able = [each for each in known if _ended(each) > at - UNDER_WAY]
    return able[0].id if len(able) == 1 and _ended(able[0]) > at and name != LOCAL else ""


def _ended(token: Any) -> datetime:
    ends = [_time(each) for each in (token.expires_utc, token.revoked_utc) if each]
    return min(ends, default=datetime.max.replace(tzinfo=_time(token.created_utc).tzinfo))


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)
