"""Columns and indexes of lists."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from steelyard.storage._append_only import allow_changes, forbid_changes

revision = "0004"
down_revision = "0003"

TEXT = sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
BATCH = 200
TIME = ("created", "digest")
INDEXES = (
    ("specs", ("words", "digest")),
    ("challenges", TIME),
    ("challenges", ("problem", *TIME)),
    ("submissions", TIME),
    ("submissions", ("problem", *TIME)),
    ("submissions", ("author", *TIME)),
)


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, TEXT, nullable=False, server_default="")


def _count(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=False, server_default="0")


def _share(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=True)


def _spec(body: dict[str, Any]) -> dict[str, object]:
    tags = body.get("tags", [])
    return {
        "title": _without_nul(body["title"]),
        "tags": json.dumps(tags, separators=(",", ":")),
        "words": _words(body["title"], tags),
    }


def _judgement(body: dict[str, Any]) -> dict[str, object]:
    result = body["result"]
    cases = result.get("cases", [])
    passed = result["compile"]["ok"] if result.get("compile_only") else result["success"]
    accepted = sum(case["verdict"] == "AC" for case in cases)
    return {"passed": int(passed), "tests": len(cases), "tests_passed": accepted}


def _strength(body: dict[str, Any]) -> dict[str, object]:
    score = body["report"].get("mutation") or {}
    return {"mutants": score.get("mutants"), "killed": score.get("killed")}


def _submission(body: dict[str, Any]) -> dict[str, object]:
    return {"author": _without_nul(body["by"])}


def _words(title: str, tags: Sequence[str]) -> str:
    lines = (" ".join(text.split()) for text in ("", *tags, "", title))
    text = _without_nul("\n".join(lines).casefold())
    return text.encode()[:2_400].decode(errors="ignore")


def _without_nul(text: str) -> str:
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")


def _added() -> dict[str, tuple[tuple[sa.Column[Any], ...], Callable[[dict[str, Any]], object]]]:
    """Return the new columns by table, each with what fills them."""
    return {
        "specs": ((_text("title"), _text("tags"), _text("words")), _spec),
        "judgements": ((_count("passed"), _count("tests"), _count("tests_passed")), _judgement),
        "strengths": ((_share("mutants"), _share("killed")), _strength),
        "submissions": ((_text("author"),), _submission),
    }


def upgrade() -> None:
    """Add the columns, fill them from the records, and add the indexes."""
    for table, (columns, values_of) in _added().items():
        allow_changes(table)
        for column in columns:
            op.add_column(table, column)
        _fill(table, values_of)
        forbid_changes(table)
    for table, names in INDEXES:
        op.create_index(_name(table, names), table, names)


def downgrade() -> None:
    """Drop the indexes and the columns."""
    for table, names in INDEXES:
        op.drop_index(_name(table, names), table)
    for table, (columns, _) in _added().items():
        for column in columns:
            op.drop_column(table, column.name)


def _name(table: str, columns: Sequence[str]) -> str:
    return op.f("_".join((table, *columns, "ix")))


def _fill(name: str, values_of: Callable[[dict[str, Any]], Any]) -> None:
    connection = op.get_bind()
    table = sa.table(name, *map(sa.column, ("digest", "body")))
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
            values = values_of(json.loads(body))
            given = sa.table(name, sa.column("digest"), *map(sa.column, values))
            connection.execute(sa.update(given).where(given.c.digest == digest).values(values))
        last = rows[-1][0]
