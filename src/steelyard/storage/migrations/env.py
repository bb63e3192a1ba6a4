"""Run by Alembic: migrate over the connection, and in the transaction, that the caller opened."""

from alembic import context

from steelyard.storage._tables import VERSION_TABLE, metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
)
with context.begin_transaction():
    context.run_migrations()
