"""Submissions, challenges and truths."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import SchemaItem

from steelyard.storage._append_only import forbid_changes

revision = "0002"
down_revision = "0001"

TEXT = sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
INDEXES = {
    "challenges": ("problem", "suite", "input"),
    "challenge_steps": ("challenge", "suite"),
    "truths": ("problem", "input", "challenge"),
    "submissions": ("problem", "solution"),
}


def _text(name: str, target: str = "", *, null: bool = False) -> sa.Column[str]:
    return sa.Column(name, TEXT, *([sa.ForeignKey(target)] if target else []), nullable=null)


def _record() -> tuple[SchemaItem, ...]:
    return _text("digest"), _text("body"), sa.PrimaryKeyConstraint("digest")


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "challenges",
        *_record(),
        _text("problem", "problems.name"),
        _text("suite", "suites.digest"),
        _text("input", "inputs.input"),
        _text("created"),
    )
    op.create_table(
        "challenge_steps",
        *_record(),
        _text("challenge", "challenges.digest"),
        sa.Column("number", sa.Integer, nullable=False),
        _text("state"),
        _text("suite", "suites.digest", null=True),
        sa.UniqueConstraint("challenge", "number"),
    )
    op.create_table(
        "truths",
        *_record(),
        _text("problem", "problems.name"),
        _text("input", "inputs.input"),
        _text("challenge", "challenges.digest", null=True),
        _text("created"),
    )
    op.create_table(
        "submissions",
        *_record(),
        _text("problem", "problems.name"),
        _text("solution", "solutions.digest"),
        _text("created"),
    )
    for table, columns in INDEXES.items():
        for column in columns:
            op.create_index(op.f(f"{table}_{column}_ix"), table, [column])
        forbid_changes(table)


def downgrade() -> None:
    """Drop the tables."""
    for table in reversed(INDEXES):
        op.drop_table(table)
