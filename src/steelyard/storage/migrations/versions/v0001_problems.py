"""Problems with their specifications, suites, solutions, judgements and runs."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import SchemaItem

from steelyard.storage._append_only import drop_guard, forbid_changes, make_guard

revision = "0001"
down_revision = None

TEXT = sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
TABLES = (
    "problems",
    "specs",
    "spec_versions",
    "inputs",
    "cases",
    "suites",
    "suite_cases",
    "suite_versions",
    "solutions",
    "judgements",
    "strengths",
    "runs",
    "events",
)
INDEXES = {
    "spec_versions": ("problem", "spec"),
    "cases": ("input",),
    "suites": ("spec",),
    "suite_versions": ("problem", "suite"),
    "solutions": ("problem",),
    "judgements": ("solution", "suite"),
    "strengths": ("suite", "solution"),
    "runs": ("name", "problem"),
    "events": ("problem", "created"),
}


def _text(name: str, *items: SchemaItem, null: bool = False) -> sa.Column[str]:
    return sa.Column(name, TEXT, *items, nullable=null)


def _record() -> tuple[SchemaItem, ...]:
    return _text("digest"), _text("body"), sa.PrimaryKeyConstraint("digest")


def _numbered_record() -> tuple[SchemaItem, ...]:
    return (
        sa.Column("id", sa.Integer, nullable=False),
        _text("digest"),
        _text("body"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("digest"),
    )


def _problem(*, null: bool = False) -> sa.Column[str]:
    return _text("problem", sa.ForeignKey("problems.name"), null=null)


def _solution() -> sa.Column[str]:
    return _text("solution", sa.ForeignKey("solutions.digest"))


def _suite() -> sa.Column[str]:
    return _text("suite", sa.ForeignKey("suites.digest"))


def _spec() -> sa.Column[str]:
    return _text("spec", sa.ForeignKey("specs.digest"))


def _number() -> sa.Column[int]:
    return sa.Column("number", sa.Integer, nullable=False)


def upgrade() -> None:
    """Make the tables."""
    op.create_table("problems", *_record(), _text("name"), sa.UniqueConstraint("name"))
    op.create_table("specs", *_record())
    op.create_table(
        "spec_versions",
        *_record(),
        _problem(),
        _number(),
        _spec(),
        sa.UniqueConstraint("problem", "number"),
    )
    op.create_table("inputs", *_record(), _text("input"), sa.UniqueConstraint("input"))
    op.create_table(
        "cases", *_numbered_record(), _text("input", sa.ForeignKey("inputs.input")), _text("test")
    )
    op.create_table("suites", *_numbered_record(), _spec(), _text("tests"))
    op.create_table(
        "suite_cases",
        sa.Column("suite_id", sa.Integer, sa.ForeignKey("suites.id"), nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("case_id", sa.Integer, sa.ForeignKey("cases.id"), nullable=False),
        sa.PrimaryKeyConstraint("suite_id", "position"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "suite_versions",
        *_record(),
        _problem(),
        _number(),
        _suite(),
        sa.UniqueConstraint("problem", "number"),
    )
    op.create_table("solutions", *_record(), _problem(), _text("role"))
    op.create_table(
        "judgements",
        *_record(),
        _solution(),
        _suite(),
        _text("engine"),
        _text("created"),
        sa.UniqueConstraint("solution", "suite", "engine"),
    )
    op.create_table(
        "strengths",
        *_record(),
        _suite(),
        _solution(),
        _text("mutators"),
        _text("created"),
        sa.UniqueConstraint("suite", "solution", "mutators"),
    )
    op.create_table("runs", *_record(), _text("name"), _problem(null=True), _text("created"))
    op.create_table("events", *_record(), _problem(null=True), _text("created"))
    for table, columns in INDEXES.items():
        for column in columns:
            op.create_index(op.f(f"{table}_{column}_ix"), table, [column])
    make_guard()
    for table in TABLES:
        forbid_changes(table)


def downgrade() -> None:
    """Drop the tables."""
    for table in reversed(TABLES):
        op.drop_table(table)
    drop_guard()
