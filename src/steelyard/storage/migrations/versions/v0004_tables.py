"""The tables of 0.1.0: problems with all that belongs to them, challenges, and tokens."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import SchemaItem

from steelyard.storage._append_only import drop_guard, forbid_changes, make_guard

revision = "0004"
down_revision = None

TEXT = sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
NUMBERED = ("cases", "suites")
"""Tables whose rows have a number, which other rows use."""
TIME = ("created", "digest")
INDEXES = {
    "specs": (("words", "digest"),),
    "spec_versions": (("problem",), ("spec",)),
    "cases": (("input",),),
    "suites": (("spec",),),
    "suite_versions": (("problem",), ("suite",)),
    "solutions": (("problem",),),
    "judgements": (("solution",), ("suite",)),
    "strengths": (("suite",), ("solution",)),
    "runs": (("name",), ("problem",)),
    "events": (("problem",), ("created",)),
    "challenges": (("problem",), ("suite",), ("input",), TIME, ("problem", *TIME)),
    "challenge_steps": (("challenge",), ("suite",)),
    "truths": (("problem",), ("input",), ("challenge",)),
    "submissions": (
        ("problem",),
        ("solution",),
        TIME,
        ("problem", *TIME),
        ("author", *TIME),
    ),
}


def _text(name: str, target: str = "", *, null: bool = False) -> sa.Column[str]:
    return sa.Column(name, TEXT, *([sa.ForeignKey(target)] if target else []), nullable=null)


def _number(name: str, target: str = "", *, null: bool = False) -> sa.Column[int]:
    keys = [sa.ForeignKey(target)] if target else []
    return sa.Column(name, sa.Integer, *keys, nullable=null)


def _records() -> dict[str, tuple[SchemaItem, ...]]:
    """Return the tables of records, without the columns that each of them has."""
    return {
        "problems": (_text("name"), sa.UniqueConstraint("name")),
        "specs": (_text("title"), _text("tags"), _text("words")),
        "spec_versions": (
            _text("problem", "problems.name"),
            _number("number"),
            _text("spec", "specs.digest"),
            sa.UniqueConstraint("problem", "number"),
        ),
        "inputs": (_text("input"), sa.UniqueConstraint("input")),
        "cases": (_text("input", "inputs.input"), _text("test")),
        "suites": (_text("spec", "specs.digest"), _text("tests")),
        "suite_versions": (
            _text("problem", "problems.name"),
            _number("number"),
            _text("suite", "suites.digest"),
            sa.UniqueConstraint("problem", "number"),
        ),
        "solutions": (_text("problem", "problems.name"), _text("role")),
        "judgements": (
            _text("solution", "solutions.digest"),
            _text("suite", "suites.digest"),
            _text("engine"),
            _text("created"),
            _number("passed"),
            _number("tests"),
            _number("tests_passed"),
            sa.UniqueConstraint("solution", "suite", "engine"),
        ),
        "strengths": (
            _text("suite", "suites.digest"),
            _text("solution", "solutions.digest"),
            _text("mutators"),
            _text("created"),
            _number("mutants", null=True),
            _number("killed", null=True),
            sa.UniqueConstraint("suite", "solution", "mutators"),
        ),
        "runs": (_text("name"), _text("problem", "problems.name", null=True), _text("created")),
        "events": (_text("problem", "problems.name", null=True), _text("created")),
        "challenges": (
            _text("problem", "problems.name"),
            _text("suite", "suites.digest"),
            _text("input", "inputs.input"),
            _text("created"),
        ),
        "challenge_steps": (
            _text("challenge", "challenges.digest"),
            _number("number"),
            _text("state"),
            _text("suite", "suites.digest", null=True),
            sa.UniqueConstraint("challenge", "number"),
        ),
        "truths": (
            _text("problem", "problems.name"),
            _text("input", "inputs.input"),
            _text("challenge", "challenges.digest", null=True),
            _text("created"),
        ),
        "submissions": (
            _text("problem", "problems.name"),
            _text("solution", "solutions.digest"),
            _text("created"),
            _text("author"),
        ),
    }


def upgrade() -> None:
    """Make the tables."""
    make_guard()
    for name, items in _records().items():
        record: tuple[SchemaItem, ...] = (_text("digest"), _text("body"))
        if name in NUMBERED:
            record = (_number("id"), *record, sa.UniqueConstraint("digest"))
        key = sa.PrimaryKeyConstraint("id" if name in NUMBERED else "digest")
        op.create_table(name, *record, *items, key)
        forbid_changes(name)
        for columns in INDEXES.get(name, ()):
            op.create_index(op.f("_".join((name, *columns, "ix"))), name, columns)
    op.create_table(
        "suite_cases",
        _number("suite_id", "suites.id"),
        _number("position"),
        _number("case_id", "cases.id"),
        sa.PrimaryKeyConstraint("suite_id", "position"),
        sqlite_with_rowid=False,
    )
    forbid_changes("suite_cases")
    op.create_table(
        "tokens",
        _text("id"),
        _text("name"),
        _text("secret_sha256"),
        _text("scopes"),
        _text("created_utc"),
        _text("expires_utc", null=True),
        _text("revoked_utc", null=True),
        _number("requests_per_minute", null=True),
        _number("concurrency", null=True),
        sa.PrimaryKeyConstraint("id"),
    )


def downgrade() -> None:
    """Drop the tables."""
    for name in ("tokens", "suite_cases", *reversed(_records())):
        op.drop_table(name)
    drop_guard()
