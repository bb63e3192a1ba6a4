"""Tokens of the service."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0003"
down_revision = "0002"

TEXT = sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "tokens",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("secret_sha256", TEXT, nullable=False),
        sa.Column("scopes", TEXT, nullable=False),
        sa.Column("created_utc", TEXT, nullable=False),
        sa.Column("expires_utc", TEXT),
        sa.Column("revoked_utc", TEXT),
        sa.Column("requests_per_minute", sa.Integer),
        sa.Column("concurrency", sa.Integer),
        sa.PrimaryKeyConstraint("id"),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("tokens")
